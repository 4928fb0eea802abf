import PolyclinicStore

/// Whether the file that leads to the listening socket is still the one that was made for it: without
/// it nobody gets there, and nothing else would say so.
struct SocketWatch {
  private static let interval = Duration.seconds(1)
  private let path: String?
  private let made: FileIdentity?
  private(set) var nextLook: SuspendingClock.Instant

  /// Made when the endpoint has just begun to listen.
  init(_ endpoint: Endpoint, at now: SuspendingClock.Instant) {
    switch endpoint {
    case .unix(let path): self.path = path
    case .tcp: path = nil
    }
    made = path.flatMap { FileIdentity(path: $0) }
    nextLook = now + Self.interval
  }

  /// Looks once a second at most.
  mutating func isLost(at now: SuspendingClock.Instant) -> Bool {
    guard now >= nextLook else { return false }
    nextLook = now + Self.interval
    guard let path else { return false }
    return FileIdentity(path: path) != made
  }
}
