import CFastCGI
import Glibc

/// What one thread waits at for its next connection.
///
/// Of all threads and processes that wait, the kernel wakes one for each connection (EPOLLEXCLUSIVE):
/// with poll(2) it wakes all of them, which cost as much as a small answer.
final class ConnectionQueue {
  private let descriptor: Int32
  private let end: Int32

  /// Ends when `end` becomes readable or is closed at its other side.
  init(socket: Int32, endedBy end: Int32) throws {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    self.end = end
    guard descriptor >= 0 else { throw SystemError("epoll_create1") }
    try add(socket, EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
    try add(end, EPOLLIN.rawValue)
  }

  deinit { close(descriptor) }

  private func add(_ waited: Int32, _ events: UInt32) throws {
    var event = epoll_event(events: events, data: epoll_data_t(fd: waited))
    guard epoll_ctl(descriptor, EPOLL_CTL_ADD, waited, &event) == 0 else {
      throw SystemError("epoll_ctl")
    }
  }

  /// False at the end. A connection may be gone by the time that it is accepted.
  func waitForConnection() -> Bool {
    var events = [epoll_event](repeating: epoll_event(), count: 2)
    while true {
      let count = epoll_wait(descriptor, &events, 2, -1)
      guard count > 0 else { continue }
      return !events.prefix(Int(count)).contains { $0.data.fd == end }
    }
  }
}
