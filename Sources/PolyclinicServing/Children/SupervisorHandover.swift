import Glibc
import PolyclinicSystem

/// A worker's wait for the next supervisor after its own was killed. Requests arrive at the old
/// socket until a new one replaces it.
package struct SupervisorHandover: Sendable {
  /// The path of the socket that the worker serves.
  package let path: String
  /// The longest wait for the next supervisor, which is started either at once or not at all.
  package var timeout = Duration.seconds(2)
  private let served: FileIdentity?

  /// Call it while the path still leads to the served socket.
  package init(path: String) {
    self.path = path
    served = FileIdentity(path: path)
  }

  /// Returns in one of three cases:
  ///
  /// - another supervisor listens at the path, and every connection to the old socket was accepted;
  /// - the path is gone, because a supervisor that stops removes it;
  /// - `timeout` is over.
  package func wait(socket: Int32 = STDIN_FILENO) {
    let end = SuspendingClock.now + timeout
    while served != nil, FileIdentity(path: path) == served, SuspendingClock.now < end {
      poll(nil, 0, 10)
    }
    var queue = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&queue, 1, 0) > 0, SuspendingClock.now < end { poll(nil, 0, 1) }
  }
}
