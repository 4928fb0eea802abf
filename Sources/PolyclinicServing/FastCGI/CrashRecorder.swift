import Glibc

/// Records the request that a thread was processing when it crashed, so that it is not retried
/// forever.
///
/// Each thread that answers requests creates, uses and releases its own instance.
package final class CrashRecorder {
  private let data: UnsafeMutablePointer<CrashData>
  private let stack: UnsafeMutableRawPointer

  /// The data for the signal handler. It is allocated in advance, because the handler must neither
  /// allocate nor lock.
  private struct CrashData {
    let requests: FatalRequests
    /// The request in progress; nil between requests.
    var fingerprint: FatalRequests.Fingerprint?
  }

  /// The size of the handler's own stack, which it needs because a full stack may have caused the
  /// crash.
  private static let stackBytes = 64 << 10

  /// The thread-specific key of each thread's data.
  private static let key = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Installs the signal handler that attributes every crash to the request of its thread. Call it
  /// before any request.
  package static func begin() {
    _ = key
    for number in CrashReport.signals where number != SIGQUIT {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = handler
      action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  private static let handler: @convention(c) (Int32) -> Void = { number in
    if let place = pthread_getspecific(CrashRecorder.key) {
      let data = place.assumingMemoryBound(to: CrashData.self).pointee
      if let fingerprint = data.fingerprint { data.requests.blame(fingerprint) }
    }
    // The signal is delivered after this handler returns, and ends the process as it would have.
    raise(number)
  }

  /// Creates the recorder of the calling thread.
  package init(of requests: FatalRequests) {
    data = .allocate(capacity: 1)
    data.initialize(to: CrashData(requests: requests))
    stack = .allocate(byteCount: Self.stackBytes, alignment: 16)
    pthread_setspecific(Self.key, data)
    var room = stack_t(ss_sp: stack, ss_flags: 0, ss_size: Self.stackBytes)
    sigaltstack(&room, nil)
  }

  deinit {
    pthread_setspecific(Self.key, nil)
    var none = stack_t(ss_sp: nil, ss_flags: Int32(SS_DISABLE), ss_size: 0)
    sigaltstack(&none, nil)
    stack.deallocate()
    data.deallocate()
  }

  /// Records that the thread begins a request. Returns false if that request has crashed two
  /// workers and must not be retried.
  package func begin(_ id: String) -> Bool {
    guard let fingerprint = FatalRequests.fingerprint(of: id) else { return true }
    if data.pointee.requests.contains(fingerprint) { return false }
    data.pointee.fingerprint = fingerprint
    return true
  }

  package func end() { data.pointee.fingerprint = nil }
}

/// The Swift runtime's crash report. It prints registers and memory, and memory holds patients'
/// data.
package enum CrashReport {
  /// The signals that the runtime reports (swift/stdlib/public/runtime/CrashHandlerLinux.cpp).
  package static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Makes a crash end the process silently and without a core file, in every command and however
  /// it was started.
  ///
  /// The runtime reads `SWIFT_BACKTRACE` before `main`, so the program cannot set it for itself.
  /// The runtime only installs handlers for these signals, so restoring the defaults is enough.
  package static func turnOff() {
    for number in signals { signal(number, SIG_DFL) }
    // A core file would hold patients' data too. The limit is only lowered, so that this cannot
    // fail.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
