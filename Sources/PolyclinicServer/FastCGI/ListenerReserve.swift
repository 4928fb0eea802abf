import CFastCGI
import Glibc

/// One thread more than serve everybody: it helps out while all the others have been busy for long, so
/// that those who hold them are told to wait, and all else goes on.
extension Listener {
  /// Milliseconds between two looks at the others.
  private static let interval: Int32 = 200

  func serveInReserve(_ responder: any Responder) {
    let connection = AcceptedRequest(from: socket)
    while !hasEnded(within: Self.interval, orConnection: .ignored) {
      var hasHelped = false
      while areAllHeld, !hasEnded(within: Self.interval, orConnection: .awaited) {
        hasHelped = serve(connection, by: responder, heartbeat: reserve) || hasHelped
      }
      if hasHelped { giveMemoryBack(of: responder, connection) }
    }
  }

  private var areAllHeld: Bool {
    let now = Uptime.milliseconds
    return heartbeats.allSatisfy {
      $0.isOverdue(at: now, limit: .milliseconds(Occupancy.brief))
    }
  }

  private enum Connections { case ignored, awaited }

  /// True at the end of all listening; false when a connection is there, if one is awaited, or after
  /// so many milliseconds.
  private func hasEnded(within milliseconds: Int32, orConnection connections: Connections) -> Bool {
    var waited = [pollfd(fd: drained.near, events: Int16(POLLIN), revents: 0)]
    if connections == .awaited {
      waited.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
    }
    poll(&waited, nfds_t(waited.count), milliseconds)
    return waited[0].revents != 0
  }
}
