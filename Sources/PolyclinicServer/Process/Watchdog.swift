import Glibc
import Logging

/// Looks after its own process, from a thread that does nothing else: it tells the supervisor that the
/// process lives, and ends the process when something in it takes too long.
///
/// A process that is stopped as a whole, or starved, cannot end itself: the supervisor hears it no
/// more, and replaces it.
enum Watchdog {
  /// Milliseconds.
  private static let interval: Int32 = 500

  /// `condition` is what the supervisor is told; `overdue` gets ``Uptime`` in milliseconds, and says what takes too long.
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

  /// A thread that hangs cannot be ended by itself, so the whole process goes.
  private static func end(because what: Logger.Metadata, _ log: Logger) -> Never {
    // A log that nobody reads may block, and must not keep the process from ending.
    alarm(5)
    log.critical("something takes too long", metadata: what)
    _exit(1)
  }
}
