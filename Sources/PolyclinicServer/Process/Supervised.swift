import Glibc
import Logging

/// The frame of a process that a supervisor starts, and that can run without one.
enum Supervised {
  /// Runs `body`, which returns at one of the signals; returns the exit status.
  ///
  /// Call it from the main thread, before any other thread exists: they inherit which signals wait.
  static func run(log: Logger, _ body: (Lifeline?, SignalSet) throws -> Void) -> Int32 {
    let ending = SignalSet(SIGTERM, SIGINT)
    ending.block()
    signal(SIGPIPE, SIG_IGN)
    do {
      try body(Lifeline(), ending)
      return 0
    } catch {
      // Nobody's data has been touched yet, so the text quotes none, and names the remedy.
      log.critical("cannot start", metadata: ["reason": "\(error)"])
      return 1
    }
  }
}
