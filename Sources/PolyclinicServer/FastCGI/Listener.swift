import CFastCGI
import Glibc
import Logging
import Synchronization

/// Answers the connections of one listening socket, each whole in one of a few threads.
final class Listener: Sendable {
  /// One a thread, for the watchdog.
  let heartbeats: [Heartbeat]
  /// That of the thread in reserve.
  let reserve = Heartbeat()

  let socket: Int32
  private let log: Logger
  private let makeResponder: @Sendable () throws -> any Responder
  /// After so many waits of a quarter of a second a thread keeps nothing for those who were there last.
  private let restEnough: Int
  /// Milliseconds in which an answer has to be sent.
  private let sendingLimit: Int64
  private let started: Channel
  let drained: Channel
  private let isEnding = Atomic(false)
  private let failure = Mutex<(any Error)?>(nil)
  private let lastWarning = Atomic<Int64>(-10_000)
  private let running = Mutex<[SystemThread]>([])

  /// `limit` is the longest that a request may take: an answer that is not sent by then is broken off
  /// before. `makeResponder` is called once in each thread.
  init(
    socket: Int32 = STDIN_FILENO, threads: Int, log: Logger, limit: Duration = .seconds(30),
    restingAfter restEnough: Int = 40,
    makeResponder: @escaping @Sendable () throws -> any Responder
  ) throws {
    self.socket = socket
    self.log = log
    self.restEnough = restEnough
    // A request that was begun by then has time to end.
    sendingLimit = Int64(limit / .milliseconds(1) * 3 / 4)
    self.makeResponder = makeResponder
    heartbeats = (0..<threads).map { _ in Heartbeat() }
    started = try Channel()
    drained = try Channel()
  }

  /// Returns when each thread has its responder and listens; throws what kept one of them from it,
  /// with all of them ended.
  func start() throws {
    guard Self.isLibraryReady else { throw SystemError("FCGX_Init") }
    try waitInAccept()
    let all = heartbeats + [reserve]
    for heartbeat in all {
      let thread = try SystemThread { self.serve(heartbeat) }
      running.withLock { $0.append(thread) }
    }
    for _ in all { started.waitForByte() }
    started.closeNear()
    started.closeFar()
    if let error = failure.withLock({ $0 }) {
      drain()
      throw error
    }
  }

  /// Has threads wait for connections in accept, for a quarter of a second at a time: so they see that
  /// all is to end, and find a connection whose wake-up went to a process that was killed. No signal
  /// is sent to them, since one would also end the calls of those that are at work.
  private func waitInAccept() throws {
    var quarter = timeval(tv_sec: 0, tv_usec: 250_000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    guard fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK) == 0,
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &quarter, size) == 0
    else { throw SystemError("setsockopt", on: "the listening socket") }
  }

  /// Takes no more connections, finishes what has begun, and returns when all threads have ended.
  func drain() {
    isEnding.store(true, ordering: .relaxed)
    drained.closeFar()
    for thread in running.withLock({ $0 }) { thread.join() }
    running.withLock { $0 = [] }
    drained.closeNear()
  }

  // It makes the library's own tables, once a process.
  private static let isLibraryReady = FCGX_Init() == 0

  private func serve(_ heartbeat: Heartbeat) {
    let responder: any Responder
    do { responder = try makeResponder() } catch {
      failure.withLock { $0 = error }
      return started.sendByte()
    }
    started.sendByte()
    if heartbeat === reserve { return serveInReserve(responder) }
    let connection = AcceptedRequest(from: socket)
    // How often in a row nothing came.
    var idle = 0
    while !isEnding.load(ordering: .relaxed) {
      idle = serve(connection, by: responder, heartbeat: heartbeat) ? 0 : idle + 1
      if idle == Self.idleEnough { giveMemoryBack(of: connection) }
      if idle == restEnough { giveMemoryBack(of: responder, connection) }
    }
  }

  /// A second without a connection: each wait is a quarter.
  private static let idleEnough = 4

  /// malloc would keep what was freed in each thread for as long as the process lives.
  private func giveMemoryBack(of connection: AcceptedRequest) {
    connection.giveMemoryBack()
    malloc_trim(0)
  }

  func giveMemoryBack(of responder: any Responder, _ connection: AcceptedRequest) {
    responder.giveMemoryBack()
    giveMemoryBack(of: connection)
  }

  /// Waits for a connection for a while, and answers it; false when none came.
  @discardableResult
  func serve(
    _ connection: AcceptedRequest, by responder: any Responder, heartbeat: Heartbeat
  ) -> Bool {
    switch connection.wait() {
    case .connection:
      let now = Uptime.milliseconds
      heartbeat.begin(at: now)
      if connection.read(deadline: now + sendingLimit) { answer(connection, responder) }
      heartbeat.end()
      return true
    case .nothing: break
    // Most often no descriptor is free: that passes, so it must not end the thread.
    case .failure(let code): pause(after: code)
    }
    return false
  }

  private func answer(_ connection: AcceptedRequest, _ responder: any Responder) {
    do {
      try responder.respond(to: FastCGIRequest(connection.request), into: connection.answer)
      try connection.finish()
    } catch {
      // The responder has logged the reason; a client that has left needs none.
      connection.breakOff()
    }
  }

  private func pause(after code: Int32) {
    let now = Uptime.milliseconds
    let last = lastWarning.load(ordering: .relaxed)
    // Logged at most every ten seconds, so that the log does not fill the disk.
    if now - last >= 10_000,
      lastWarning.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    {
      log.warning("no connection accepted", metadata: ["reason": "\(SystemError("accept", code))"])
    }
    var waiting = pollfd(fd: drained.near, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, 200)
  }
}
