import CFastCGI
import Glibc
import PolyclinicSystem
import Synchronization

/// The connections that wait for a thread of this process: new ones at the listening socket, and
/// kept ones, on which the web server may send another request.
///
/// All threads wait for both kinds together (epoll(7)), so that a waiting connection holds no
/// thread. A kept connection belongs to the thread that takes it out of ``idle``.
final class Connections: Sendable {
  /// The epoll instance, which poll(2) reports as readable while a connection waits.
  let events: Int32
  /// True if no connection leaves this machine.
  let isLocal: Bool
  private let socket: Int32
  /// The largest number of kept connections.
  private let limit: Int
  private let idle = Mutex(Idle())

  private struct Idle {
    var connections: Set<Int32> = []
    var isClosed = false
  }

  /// Creates the connections of a listening socket, which becomes non-blocking.
  init(at socket: Int32, keeping limit: Int) throws(SystemError) {
    self.socket = socket
    self.limit = limit
    isLocal = Self.isLocal(socket)
    events = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard events >= 0 else { throw SystemError("epoll_create1") }
    // Several threads may be woken for one connection, of which all but one must not block.
    guard fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK) == 0,
      // Exclusive, so that a new connection does not wake a thread in each process.
      watch(socket, for: EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue, by: EPOLL_CTL_ADD)
    else { throw SystemError("epoll_ctl", on: "the listening socket") }
  }

  deinit { close(events) }

  /// Waits for a quarter of a second. Returns a kept connection that has become readable, or nil if
  /// ``accept()`` should be tried.
  ///
  /// That is also so at the timeout, because the wake-up for a new connection may have gone to a
  /// killed process.
  func wait() -> Int32? {
    var event = epoll_event()
    guard epoll_wait(events, &event, 1, 250) == 1, event.data.fd != socket else { return nil }
    let connection = event.data.fd
    // It may have been closed since the event.
    return idle.withLock { $0.connections.remove(connection) }
  }

  /// Accepts a new connection without waiting; returns a negative number and sets `errno` if there
  /// is none.
  func accept() -> Int32 { accept4(socket, nil, nil, Int32(SOCK_CLOEXEC.rawValue)) }

  /// Keeps a connection for its next request. Returns false if it must be closed instead.
  ///
  /// The calling thread must not use a kept connection any more.
  func keep(_ connection: Int32) -> Bool {
    let isKept = idle.withLock { idle in
      guard !idle.isClosed, idle.connections.count < limit else { return false }
      idle.connections.insert(connection)
      return true
    }
    guard isKept else { return false }
    // One event only, because two threads must not read the same request.
    let kind = EPOLLIN.rawValue | EPOLLONESHOT.rawValue
    if watch(connection, for: kind, by: EPOLL_CTL_MOD) { return true }
    // It is kept for the first time.
    return watch(connection, for: kind, by: EPOLL_CTL_ADD)
      || idle.withLock { $0.connections.remove(connection) } == nil
  }

  /// Closes the kept connections without reading from them, so that the web server sends their
  /// requests again, on new connections that any process may accept. Returns false if there is
  /// none.
  @discardableResult
  func handBack() -> Bool {
    let connections = idle.withLock { idle in
      defer { idle.connections = [] }
      return idle.connections
    }
    for connection in connections { close(connection) }
    return !connections.isEmpty
  }

  /// Closes the kept connections, and keeps no more.
  func closeAll() {
    idle.withLock { $0.isClosed = true }
    handBack()
  }

  private func watch(_ descriptor: Int32, for kind: UInt32, by operation: Int32) -> Bool {
    var event = epoll_event(events: kind, data: epoll_data_t(fd: descriptor))
    return epoll_ctl(events, operation, descriptor, &event) == 0
  }

  private static func isLocal(_ socket: Int32) -> Bool {
    var family: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &size)
    return family == AF_UNIX
  }
}
