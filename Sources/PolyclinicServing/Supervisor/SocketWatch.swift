import PolyclinicSystem

/// Checks that the path of the listening socket still leads to the file that was made for it.
/// Without that file no request arrives, and no other error would report it.
package struct SocketWatch {
  private static let interval = Duration.seconds(1)
  private let path: String
  private let made: FileIdentity?
  private(set) var nextLook: SuspendingClock.Instant

  /// Call it directly after the endpoint has begun to listen.
  init(_ endpoint: Endpoint, at now: SuspendingClock.Instant) {
    path = endpoint.path
    made = FileIdentity(path: path)
    nextLook = now + Self.interval
  }

  /// Returns true if the file is gone or replaced. Checks at most once a second.
  mutating func isLost(at now: SuspendingClock.Instant) -> Bool {
    guard now >= nextLook else { return false }
    nextLook = now + Self.interval
    return FileIdentity(path: path) != made
  }
}
