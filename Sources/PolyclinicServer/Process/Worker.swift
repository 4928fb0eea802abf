import Glibc
import Logging

/// A process that answers requests from the listening socket at descriptor 0: started by the
/// supervisor, or by anything that follows FastCGI's convention (spawn-fcgi, systemd's socket
/// activation with `StandardInput=socket`).
struct Worker: Sendable {
  var threads: Int
  /// The longest that a request may take before the process ends itself.
  var limit: Duration = .seconds(30)
  var log: Logger
  /// Opens what the responders need, and returns what makes one of them in each thread.
  var prepare: @Sendable () throws -> @Sendable () throws -> any Responder

  /// Serves until SIGTERM or SIGINT, finishes what has begun, and returns the exit status.
  ///
  /// Call it from the main thread, before any other thread exists: they inherit which signals wait.
  func run() -> Int32 {
    Supervised.run(log: log) { lifeline, ending in
      try lifeline?.whenSupervisorEnds {
        kill(getpid(), SIGTERM)
        poll(nil, 0, 30_000)
        _exit(1)
      }
      try requireListeningSocket()
      let listener = try Listener(threads: threads, log: log, makeResponder: prepare())
      try watch(listener.heartbeats)
      try listener.start()
      lifeline?.reportReady()
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

  /// A thread that hangs cannot be ended by itself, so the whole process goes.
  private func watch(_ heartbeats: [Heartbeat]) throws {
    let limit = limit
    let log = log
    _ = try SystemThread {
      while true {
        poll(nil, 0, 500)
        let now = Uptime.milliseconds
        guard heartbeats.contains(where: { $0.isOverdue(at: now, limit: limit) }) else { continue }
        // A log that nobody reads may block, and must not keep the process from ending.
        alarm(5)
        log.critical("a request takes too long", metadata: ["limit": "\(limit)"])
        _exit(1)
      }
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
