import Glibc
import Logging
import PolyclinicSystem

/// A thread that watches its own process. It sends heartbeats to the supervisor, and ends the
/// process if a request or job exceeds its limit.
///
/// A process that is stopped as a whole, or starved, cannot end itself: its heartbeats stop, and
/// the supervisor replaces it.
enum Watchdog {
  /// Milliseconds.
  private static let interval: Int32 = 500

  /// Starts the thread. `condition` is the message of each heartbeat. `overdue` gets ``Uptime`` in
  /// milliseconds and returns the work that takes too long, if any.
  static func start(
    _ lifeline: Lifeline?, log: Logger,
    condition: @escaping @Sendable () -> Lifeline.Word = { .alive },
    overdue: @escaping @Sendable (Int64) -> Logger.Metadata?
  ) throws {
    _ = try SystemThread {
      while true {
        lifeline?.beat(condition())
        poll(nil, 0, interval)
        if let what = overdue(Uptime.milliseconds) { end(because: what, log) }
      }
    }
  }

  /// Ends the whole process, because a single hanging thread cannot be ended.
  private static func end(because what: Logger.Metadata, _ log: Logger) -> Never {
    // Writing to a log without a reader may block, and must not keep the process alive.
    alarm(5)
    log.critical("something takes too long", metadata: what)
    _exit(1)
  }
}
