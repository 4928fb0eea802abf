import CFastCGI
import Glibc
import PolyclinicSystem

/// A reserve thread, in addition to the regular ones. It accepts requests only while all others
/// have been busy for long. The clients that occupy them get 429, and all other clients are still
/// served.
extension Listener {
  /// The milliseconds between two checks of the other threads.
  private static let interval: Int32 = 200

  func serveInReserve(_ responder: any FastCGIApplication) {
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
      $0.isOverdue(at: now, limit: .milliseconds(ThreadLimiter.brief))
    }
  }

  private enum Connections { case ignored, awaited }

  /// Waits for a number of milliseconds. Returns true if the listener is shutting down, and false
  /// at the timeout, or earlier if a connection arrives and is awaited.
  private func hasEnded(within milliseconds: Int32, orConnection connections: Connections) -> Bool {
    var waited = [pollfd(fd: drained.near, events: Int16(POLLIN), revents: 0)]
    if connections == .awaited {
      waited.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
    }
    poll(&waited, nfds_t(waited.count), milliseconds)
    return waited[0].revents != 0
  }
}
