import Glibc
import PolyclinicStore

/// How a worker bridges the time between a supervisor that was killed and the next one: visitors come
/// to the old socket until a new one stands in its place.
struct Succession: Sendable {
  /// The path of the socket that the worker serves.
  let path: String
  /// How long a successor is waited for: whoever starts one does so at once, or not at all.
  var patience = Duration.seconds(2)
  private let served: FileIdentity?

  /// Made while the path is still that of the socket that is served.
  init(path: String) {
    self.path = path
    served = FileIdentity(path: path)
  }

  /// Returns when somebody else listens at the path and all who came here before are taken, when the
  /// path is gone, since that is how a supervisor stops, or when patience ends.
  func wait(socket: Int32 = STDIN_FILENO) {
    let end = SuspendingClock.now + patience
    while served != nil, FileIdentity(path: path) == served, SuspendingClock.now < end {
      poll(nil, 0, 10)
    }
    var queue = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&queue, 1, 0) > 0, SuspendingClock.now < end { poll(nil, 0, 1) }
  }
}
