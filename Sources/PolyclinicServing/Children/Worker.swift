import Glibc
import Logging
import PolyclinicSystem

/// A process that answers requests from the listening socket at descriptor 0. The supervisor starts
/// it, or any program that follows FastCGI's convention (spawn-fcgi, systemd's socket activation
/// with `StandardInput=socket`).
package struct Worker: Sendable {
  package var threads: Int
  /// The longest time that a request may take before the process ends itself.
  package var limit: Duration
  /// The wait for the next supervisor after this one dies.
  package var handover: SupervisorHandover
  package var log: Logger
  /// Called twice a second with the heartbeats of all threads, to count the busy ones.
  package var observe: @Sendable ([Heartbeat]) -> Void = { _ in }
  /// Called twice a second for the message of the next heartbeat.
  package var condition: @Sendable () -> Lifeline.Word = { .alive }
  /// Opens the resources of the responders, and returns a factory that each thread calls once.
  package var prepare: @Sendable () throws -> @Sendable () throws -> any FastCGIApplication

  package init(
    threads: Int, limit: Duration, handover: SupervisorHandover, log: Logger,
    observe: @escaping @Sendable ([Heartbeat]) -> Void = { _ in },
    condition: @escaping @Sendable () -> Lifeline.Word = { .alive },
    prepare: @escaping @Sendable () throws -> @Sendable () throws -> any FastCGIApplication
  ) {
    self.threads = threads
    self.limit = limit
    self.handover = handover
    self.log = log
    self.observe = observe
    self.condition = condition
    self.prepare = prepare
  }

  /// Serves until SIGTERM or SIGINT, finishes accepted requests, and returns the exit status.
  ///
  /// Call it from the main thread, before any other thread exists, because threads inherit the
  /// blocked signals.
  package func run() -> Int32 {
    SupervisedProcess(log: log).run { lifeline, stopSignals in
      let handover = handover
      try lifeline?.whenSupervisorEnds {
        handover.wait()
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
      try Watchdog(lifeline: lifeline, log: log, condition: condition) { now in
        observe(heartbeats)
        let all = heartbeats + [listener.reserve]
        guard all.contains(where: { $0.isOverdue(at: now, limit: limit) }) else {
          return nil
        }
        return ["what": "request", "limit": "\(limit)"]
      }.start()
      log.info("ready", metadata: ["threads": "\(threads)"])
      _ = stopSignals.wait()
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
