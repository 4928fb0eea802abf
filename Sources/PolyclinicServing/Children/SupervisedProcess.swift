import Glibc
import Logging
import PolyclinicSystem

/// The common frame of a child process, which also runs without a supervisor.
struct SupervisedProcess {
  let log: Logger

  /// Runs `body`, which returns at one of the signals, and returns the exit status.
  ///
  /// Call it from the main thread, before any other thread exists, because threads inherit the
  /// blocked signals.
  func run(_ body: (Lifeline?, SignalSet) throws -> Void) -> Int32 {
    let stopSignals = SignalSet(SIGTERM, SIGINT)
    stopSignals.block()
    signal(SIGPIPE, SIG_IGN)
    do {
      try body(Lifeline(), stopSignals)
      return 0
    } catch {
      // No patient data has been touched yet, so the text quotes none. It names the remedy.
      log.critical("cannot start", metadata: ["reason": "\(error)"])
      return 1
    }
  }
}

/// A thread that watches its own process. It sends heartbeats to the supervisor, and ends the
/// process if a request or job exceeds its limit.
///
/// A process that is stopped as a whole, or starved, cannot end itself: its heartbeats stop, and
/// the supervisor replaces it.
struct Watchdog: Sendable {
  /// Milliseconds.
  private static let interval: Int32 = 500

  let lifeline: Lifeline?
  let log: Logger
  /// The message of each heartbeat.
  var condition: @Sendable () -> Lifeline.Word = { .alive }
  /// Gets ``Uptime`` in milliseconds and returns the work that takes too long, if any.
  let overdue: @Sendable (Int64) -> Logger.Metadata?

  func start() throws {
    _ = try SystemThread {
      while true {
        lifeline?.beat(condition())
        poll(nil, 0, Self.interval)
        if let what = overdue(Uptime.milliseconds) { end(because: what) }
      }
    }
  }

  /// Ends the whole process, because a single hanging thread cannot be ended.
  private func end(because what: Logger.Metadata) -> Never {
    // Writing to a log without a reader may block, and must not keep the process alive.
    alarm(5)
    log.critical("something takes too long", metadata: what)
    _exit(1)
  }
}
