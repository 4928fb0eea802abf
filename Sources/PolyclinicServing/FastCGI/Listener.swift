import CFastCGI
import Glibc
import Logging
import PolyclinicSystem
import Synchronization

/// Answers the requests that reach a listening socket. A few threads wait together for new and kept
/// connections, and one of them handles each request from beginning to end.
final class Listener: Sendable {
  /// One heartbeat for each thread, which the watchdog checks.
  let heartbeats: [Heartbeat]
  /// The heartbeat of the reserve thread.
  let reserve = Heartbeat()

  let connections: Connections
  private let log: Logger
  private let makeResponder: @Sendable () throws -> any FastCGIApplication
  /// The number of idle waits, of a quarter of a second each, after which a thread clears its
  /// caches of user data.
  private let restEnough: Int
  /// The time to send a response, in milliseconds.
  private let sendingLimit: Int64
  private let started: Channel
  let drained: Channel
  private let isEnding = Atomic(false)
  private let failure = Mutex<(any Error)?>(nil)
  private let lastWarning = Atomic<Int64>(-10_000)
  private let running = Mutex<[SystemThread]>([])

  /// The number of kept connections for each thread.
  private static let keptForThread = 16

  /// Creates a listener.
  ///
  /// - `limit`: the longest duration of a request. A response that is not sent within three
  ///   quarters of it is aborted.
  /// - `makeResponder`: called once in each thread.
  init(
    socket: Int32 = STDIN_FILENO, threads: Int, log: Logger, limit: Duration = .seconds(30),
    restingAfter restEnough: Int = 40,
    makeResponder: @escaping @Sendable () throws -> any FastCGIApplication
  ) throws {
    connections = try Connections(at: socket, keeping: Self.keptForThread * threads)
    self.log = log
    self.restEnough = restEnough
    // Three quarters of the limit, so that a request has time to end before the watchdog acts.
    sendingLimit = Int64(limit / .milliseconds(1) * 3 / 4)
    self.makeResponder = makeResponder
    heartbeats = (0..<threads).map { _ in Heartbeat() }
    started = try Channel()
    drained = try Channel()
  }

  /// Starts the threads, and returns when each has its responder and listens. If one of them fails,
  /// ends all threads and throws its error.
  func start() throws {
    guard Self.isLibraryReady else { throw SystemError("FCGX_Init") }
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

  /// Stops accepting connections, closes the kept ones, finishes requests in progress, and returns
  /// when all threads have ended.
  func drain() {
    isEnding.store(true, ordering: .relaxed)
    connections.closeAll()
    drained.closeFar()
    for thread in running.withLock({ $0 }) { thread.join() }
    running.withLock { $0 = [] }
    drained.closeNear()
  }

  // Initializes the library's tables, once in a process.
  private static let isLibraryReady = FCGX_Init() == 0

  private func serve(_ heartbeat: Heartbeat) {
    let responder: any FastCGIApplication
    do { responder = try makeResponder() } catch {
      failure.withLock { $0 = error }
      return started.sendByte()
    }
    started.sendByte()
    if heartbeat === reserve { return serveInReserve(responder) }
    let connection = AcceptedRequest(from: connections)
    // The number of consecutive waits without a connection.
    var idle = 0
    while !isEnding.load(ordering: .relaxed) {
      idle = serve(connection, by: responder, heartbeat: heartbeat) ? 0 : idle + 1
      if idle == Self.idleEnough { giveMemoryBack(of: connection) }
      if idle == restEnough { giveMemoryBack(of: responder, connection) }
    }
  }

  /// One second without a connection, because each wait takes a quarter.
  private static let idleEnough = 4

  /// Frees the buffer, and returns freed memory to the system. Otherwise malloc would keep each
  /// thread's memory for the lifetime of the process.
  private func giveMemoryBack(of connection: AcceptedRequest) {
    connection.giveMemoryBack()
    malloc_trim(0)
  }

  func giveMemoryBack(of responder: any FastCGIApplication, _ connection: AcceptedRequest) {
    responder.giveMemoryBack()
    giveMemoryBack(of: connection)
  }

  /// Waits for a connection until the timeout and answers it. Returns false if none came.
  @discardableResult
  func serve(
    _ connection: AcceptedRequest, by responder: any FastCGIApplication, heartbeat: Heartbeat
  ) -> Bool {
    switch connection.wait() {
    case .connection:
      let now = Uptime.milliseconds
      let name = CurrentRequest.name
      name.deadline = now + sendingLimit
      heartbeat.begin(at: now)
      if connection.read(deadline: now + sendingLimit) { answer(connection, responder) }
      heartbeat.end()
      name.deadline = nil
      return true
    case .nothing: break
    // Usually no file descriptor is free. This is temporary, so it must not end the thread.
    case .failure(let code):
      warn(of: code)
      if !connections.handBack() { pause() }
    }
    return false
  }

  private func answer(_ connection: AcceptedRequest, _ responder: any FastCGIApplication) {
    do {
      let request = FastCGIRequest(connection.request)
      let mayKeep = try responder.respond(to: request, into: connection.answer)
      try connection.finish(mayKeep: mayKeep && request.isRepeatable)
    } catch {
      // The responder has logged the reason. A disconnected client needs no log entry.
      connection.breakOff()
    }
  }

  private func warn(of code: Int32) {
    let now = Uptime.milliseconds
    let last = lastWarning.load(ordering: .relaxed)
    // Logged at most every ten seconds, so that the log does not fill the disk.
    if now - last >= 10_000,
      lastWarning.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    {
      log.warning("no connection accepted", metadata: ["reason": "\(SystemError("accept", code))"])
    }
  }

  private func pause() {
    var waiting = pollfd(fd: drained.near, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, 200)
  }
}
