import PolyclinicStore

/// Whether the file that leads to the listening socket is still the one that was made for it: without
/// it nobody gets there, and nothing else would say so.
struct SocketWatch {
  private static let interval = Duration.seconds(1)
  private let path: String
  private let made: FileIdentity?
  private(set) var nextLook: SuspendingClock.Instant

  /// Made when the endpoint has just begun to listen.
  init(_ endpoint: Endpoint, at now: SuspendingClock.Instant) {
    path = endpoint.path
    made = FileIdentity(path: path)
    nextLook = now + Self.interval
  }

  /// Looks once a second at most.
  mutating func isLost(at now: SuspendingClock.Instant) -> Bool {
    guard now >= nextLook else { return false }
    nextLook = now + Self.interval
    return FileIdentity(path: path) != made
  }
}
