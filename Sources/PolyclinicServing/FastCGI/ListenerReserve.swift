import CFastCGI
import Glibc
import PolyclinicSystem

/// A reserve thread, in addition to the regular ones. It acts only while all others are busy:
///
/// - After a moment it hands the kept connections back, so that their requests do not wait for this
///   process while another one has a free thread.
/// - After long it answers requests itself. The clients that occupy the threads get 429, and all
///   other clients are still served.
extension Listener {
  /// The milliseconds between two checks of the other threads.
  private static let interval: Int32 = 50

  func serveInReserve(_ responder: any FastCGIApplication) {
    let connection = AcceptedRequest(from: connections)
    while !hasEnded(within: Self.interval, orConnection: .ignored) {
      if areAllHeld(longerThan: Int64(Self.interval)) { connections.handBack() }
      var hasHelped = false
      while areAllHeld(longerThan: ThreadLimiter.brief),
        !hasEnded(within: Self.interval, orConnection: .awaited)
      {
        hasHelped = serve(connection, by: responder, heartbeat: reserve) || hasHelped
      }
      if hasHelped { giveMemoryBack(of: responder, connection) }
    }
  }

  private func areAllHeld(longerThan milliseconds: Int64) -> Bool {
    let now = Uptime.milliseconds
    return heartbeats.allSatisfy { $0.isOverdue(at: now, limit: .milliseconds(milliseconds)) }
  }

  private enum Connection { case ignored, awaited }

  /// Waits for a number of milliseconds. Returns true if the listener is shutting down, and false
  /// at the timeout, or earlier if a connection waits and is awaited.
  private func hasEnded(within milliseconds: Int32, orConnection connection: Connection) -> Bool {
    var waited = [pollfd(fd: drained.near, events: Int16(POLLIN), revents: 0)]
    if connection == .awaited {
      waited.append(pollfd(fd: connections.events, events: Int16(POLLIN), revents: 0))
    }
    poll(&waited, nfds_t(waited.count), milliseconds)
    return waited[0].revents != 0
  }
}
