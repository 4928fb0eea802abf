import Glibc
import PolyclinicCore

/// Interrupts a system call of one thread after a timeout. `flock` has no timeout, and the signal
/// of `alarm` could go to any thread.
final class Interruption {
  /// The kernel's number of the timer, imported as a pointer: nil is number 0.
  private var timer: timer_t?

  /// Installs a handler for SIGURG. A late signal does no harm, because SIGURG is ignored by
  /// default and no library here uses it. The handler is never removed, because other threads may
  /// be waiting.
  private static let handler: Void = {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    // Not SA_RESTART, because it would resume the interrupted call.
    action.sa_flags = 0
    sigaction(SIGURG, &action, nil)
  }()

  /// Creates a timer for the calling thread. Throws ``DatabaseError`` if the system has no timer
  /// left.
  init() throws {
    _ = Self.handler
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGURG)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    var event = sigevent()
    event.sigev_notify = Int32(SIGEV_THREAD_ID)
    event.sigev_signo = SIGURG
    event._sigev_un._tid = try Self.thread()
    guard timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 else {
      throw DatabaseError(system: errno, detail: "cannot make a timer")
    }
  }

  /// Returns the kernel's id of the calling thread. The Glibc module leaves `gettid` out.
  private static func thread() throws -> pid_t {
    var link = [CChar](repeating: 0, count: 64)
    let count = readlink("/proc/thread-self", &link, link.count)
    let text = String(
      decoding: link.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let number = text.split(separator: "/").last.flatMap({ pid_t($0) }) else {
      throw DatabaseError(.other, code: 0, detail: "/proc/thread-self does not name this thread")
    }
    return number
  }

  deinit { timer_delete(timer) }

  /// Interrupts after this number of milliseconds, and then ten times a second, because the first
  /// signal may come just before the call.
  func start(after milliseconds: Int) throws {
    let first = timespec(
      tv_sec: milliseconds / 1_000, tv_nsec: max(1, milliseconds % 1_000 * 1_000_000))
    let next = timespec(tv_sec: 0, tv_nsec: 100_000_000)
    guard set(itimerspec(it_interval: next, it_value: first)) else {
      throw DatabaseError(system: errno, detail: "cannot start a timer")
    }
  }

  func stop() { _ = set(itimerspec()) }

  private func set(_ times: itimerspec) -> Bool {
    var times = times
    return timer_settime(timer, 0, &times, nil) == 0
  }

  /// The time on the timer's clock in milliseconds.
  static var now: Int { Int(nanoseconds / 1_000_000) }

  static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
