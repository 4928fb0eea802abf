import CFastCGI
import Glibc
import Logging
import Synchronization

/// Answers the connections of one listening socket, each whole in one of a few threads.
final class Listener: Sendable {
  /// One a thread, for the watchdog.
  let heartbeats: [Heartbeat]

  private let socket: Int32
  private let log: Logger
  private let makeResponder: @Sendable () throws -> any Responder
  private let started: Channel
  private let drained: Channel
  private let failure = Mutex<(any Error)?>(nil)
  private let lastWarning = Atomic<Int64>(-10_000)
  private let running = Mutex<[SystemThread]>([])

  /// `makeResponder` is called once in each thread.
  init(
    socket: Int32 = STDIN_FILENO, threads: Int, log: Logger,
    makeResponder: @escaping @Sendable () throws -> any Responder
  ) throws {
    self.socket = socket
    self.log = log
    self.makeResponder = makeResponder
    heartbeats = (0..<threads).map { _ in Heartbeat() }
    started = try Channel()
    drained = try Channel()
  }

  /// Returns when each thread has its responder and listens; throws what kept one of them from it,
  /// with all of them ended.
  func start() throws {
    guard Self.isLibraryReady else { throw SystemError("FCGX_Init") }
    // Several threads are woken by one connection: those that come late must not wait in accept.
    guard fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK) == 0 else {
      throw SystemError("fcntl", on: "the listening socket")
    }
    for heartbeat in heartbeats {
      let thread = try SystemThread { self.serve(heartbeat) }
      running.withLock { $0.append(thread) }
    }
    for _ in heartbeats { started.waitForByte() }
    started.closeNear()
    started.closeFar()
    if let error = failure.withLock({ $0 }) {
      drain()
      throw error
    }
  }

  /// Takes no more connections, finishes what has begun, and returns when all threads have ended.
  func drain() {
    drained.closeFar()
    for thread in running.withLock({ $0 }) { thread.join() }
    running.withLock { $0 = [] }
    drained.closeNear()
  }

  // It makes the library's own tables, once a process.
  private static let isLibraryReady = FCGX_Init() == 0

  private func serve(_ heartbeat: Heartbeat) {
    let responder: any Responder
    let queue: ConnectionQueue
    do {
      responder = try makeResponder()
      queue = try ConnectionQueue(socket: socket, endedBy: drained.near)
    } catch {
      failure.withLock { $0 = error }
      return started.sendByte()
    }
    started.sendByte()
    let request = UnsafeMutablePointer<FCGX_Request>.allocate(capacity: 1)
    request.initialize(to: FCGX_Request())
    defer { request.deallocate() }
    FCGX_InitRequest(request, socket, 0)
    var out: [UInt8] = []
    while queue.waitForConnection() {
      heartbeat.begin(at: Uptime.milliseconds)
      let accepted = FCGX_Accept_r(request)
      if accepted == 0 { answer(request, responder, &out) }
      heartbeat.end()
      // Most often no descriptor is free: that passes, so it must not end the thread.
      if accepted < 0 && accepted != -EAGAIN { pause(after: accepted) }
    }
    FCGX_Free(request, 1)
  }

  private func answer(
    _ request: UnsafeMutablePointer<FCGX_Request>, _ responder: any Responder, _ out: inout [UInt8]
  ) {
    // A large answer should not keep its memory for ever.
    if out.capacity > 1 << 20 { out = [] }
    out.removeAll(keepingCapacity: true)
    responder.respond(to: FastCGIRequest(request), into: &out)
    out.withUnsafeBytes { bytes in
      _ = FCGX_PutStr(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
        request.pointee.out)
    }
    // A connection that is kept open would hold this thread and let other clients wait.
    request.pointee.keepConnection = 0
    FCGX_Finish_r(request)
  }

  private func pause(after code: Int32) {
    let now = Uptime.milliseconds
    let last = lastWarning.load(ordering: .relaxed)
    // Once in ten seconds says it; a full log would be the next trouble.
    if now - last >= 10_000,
      lastWarning.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    {
      log.warning("no connection accepted", metadata: ["reason": "\(SystemError("accept", -code))"])
    }
    var waiting = pollfd(fd: drained.near, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, 200)
  }
}
