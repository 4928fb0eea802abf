import Glibc

/// Sees at which request a thread of this process was when it crashed, so that this is not tried for ever.
///
/// One belongs to each thread that answers requests, which makes it, uses it and gives it up.
final class CrashWitness {
  private let testimony: UnsafeMutablePointer<Testimony>
  private let stack: UnsafeMutableRawPointer

  /// What the handler finds: made before, since it must neither allocate nor lock.
  private struct Testimony {
    let requests: FatalRequests
    /// Nil between requests.
    var mark: FatalRequests.Mark?
  }

  /// Room for a handler of its own: a thread may have crashed because its stack is full.
  private static let stackBytes = 64 << 10

  /// Where each thread keeps its testimony.
  private static let key = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Has every crash of this process be laid to the request of its thread; call it before any of them.
  static func begin() {
    _ = key
    for number in CrashReport.signals where number != SIGQUIT {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = testify
      action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  private static let testify: @convention(c) (Int32) -> Void = { number in
    if let place = pthread_getspecific(CrashWitness.key) {
      let testimony = place.assumingMemoryBound(to: Testimony.self).pointee
      if let mark = testimony.mark { testimony.requests.blame(mark) }
    }
    // It comes when this returns, and ends the process as it would have.
    raise(number)
  }

  /// A witness of the calling thread.
  init(of requests: FatalRequests) {
    testimony = .allocate(capacity: 1)
    testimony.initialize(to: Testimony(requests: requests))
    stack = .allocate(byteCount: Self.stackBytes, alignment: 16)
    pthread_setspecific(Self.key, testimony)
    var room = stack_t(ss_sp: stack, ss_flags: 0, ss_size: Self.stackBytes)
    sigaltstack(&room, nil)
  }

  deinit {
    pthread_setspecific(Self.key, nil)
    var none = stack_t(ss_sp: nil, ss_flags: Int32(SS_DISABLE), ss_size: 0)
    sigaltstack(&none, nil)
    stack.deallocate()
    testimony.deallocate()
  }

  /// The thread is at a request from now on; false when that has ended two workers, and is not to be
  /// tried again.
  func begin(_ id: String) -> Bool {
    guard let mark = FatalRequests.mark(of: id) else { return true }
    if testimony.pointee.requests.contains(mark) { return false }
    testimony.pointee.mark = mark
    return true
  }

  func end() { testimony.pointee.mark = nil }
}
