import Glibc
import Logging
import PolyclinicSystem

/// The common frame of a child process, which also runs without a supervisor.
enum SupervisedProcess {
  /// Runs `body`, which returns at one of the signals, and returns the exit status.
  ///
  /// Call it from the main thread, before any other thread exists, because threads inherit the
  /// blocked signals.
  static func run(log: Logger, _ body: (Lifeline?, SignalSet) throws -> Void) -> Int32 {
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
