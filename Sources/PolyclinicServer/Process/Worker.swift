import Glibc
import Logging

/// A process that answers requests from the listening socket at descriptor 0: started by the
/// supervisor, or by anything that follows FastCGI's convention (spawn-fcgi, systemd's socket
/// activation with `StandardInput=socket`).
struct Worker: Sendable {
  var threads: Int
  /// The longest that a request may take before the process ends itself.
  var limit: Duration
  /// Who takes over when the supervisor dies.
  var succession: Succession
  var log: Logger
  /// Told twice a second how many threads are at a request.
  var observe: @Sendable ([Heartbeat]) -> Void = { _ in }
  /// Asked twice a second what the supervisor is to be told.
  var condition: @Sendable () -> Lifeline.Word = { .alive }
  /// Opens what the responders need, and returns what makes one of them in each thread.
  var prepare: @Sendable () throws -> @Sendable () throws -> any Responder

  /// Serves until SIGTERM or SIGINT, finishes what has begun, and returns the exit status.
  ///
  /// Call it from the main thread, before any other thread exists: they inherit which signals wait.
  func run() -> Int32 {
    Supervised.run(log: log) { lifeline, ending in
      let succession = succession
      try lifeline?.whenSupervisorEnds {
        succession.wait()
        kill(getpid(), SIGTERM)
        poll(nil, 0, 30_000)
        _exit(1)
      }
      try requireListeningSocket()
      let listener = try Listener(
        threads: threads, log: log, limit: limit, makeResponder: prepare())
      let heartbeats = listener.heartbeats
      try listener.start()
      lifeline?.reportReady()
      try Watchdog.start(lifeline, log: log, condition: condition) { now in
        observe(heartbeats)
        let all = heartbeats + [listener.reserve]
        guard all.contains(where: { $0.isOverdue(at: now, limit: limit) }) else {
          return nil
        }
        return ["what": "request", "limit": "\(limit)"]
      }
      log.info("ready", metadata: ["threads": "\(threads)"])
      _ = ending.wait()
      listener.drain()
      log.info("drained")
    }
  }

  private func requireListeningSocket() throws {
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(STDIN_FILENO, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0,
      isListening == 1
    else {
      throw Misuse("descriptor 0 is no listening socket: start it by \"polyclinic serve\"")
    }
  }
}

/// The process was started in a way that cannot work; the text names the remedy.
struct Misuse: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
