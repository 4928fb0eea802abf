/// Work that is done without anybody asking, in the `jobs` process.
public struct Job: Sendable {
  /// Unique within the module.
  public let name: String
  /// The longest that one run may take: then its process is ended, and the job tried again later.
  public let limit: Seconds
  /// True for a job that starts a program which reaches other machines: the systemd unit then allows it.
  public let usesNetwork: Bool
  /// Does what is due, and returns when it next wants to run.
  public let run: @Sendable (Portal) throws -> Instant

  /// `run` is called when it is due and, should it throw or take too long, again later.
  public init(
    _ name: StaticString, limit: Seconds = .minutes(10), usesNetwork: Bool = false,
    _ run: @escaping @Sendable (Portal) throws -> Instant
  ) {
    self.name = name.description
    self.limit = limit
    self.usesNetwork = usesNetwork
    self.run = run
  }
}

/// A question about a module's own health, asked by `polyclinic module doctor` and `polyclinic check`.
public struct HealthCheck: Sendable {
  /// Unique within the module.
  public let name: String
  /// Returns what is wrong, in words for the administrator; nil when all is well.
  public let run: @Sendable (Portal) throws -> String?
  /// Returns how things are while all is well, such as the age of data; nil for no more than that.
  public let details: @Sendable (Portal) throws -> String?

  /// `run` is called each time somebody asks, and `details` where it finds nothing wrong.
  public init(
    _ name: StaticString, _ run: @escaping @Sendable (Portal) throws -> String?,
    details: @escaping @Sendable (Portal) throws -> String? = { _ in nil }
  ) {
    self.name = name.description
    self.run = run
    self.details = details
  }
}

/// A job could not do its work, for a reason that the log tells.
public struct JobFailure: Error, Equatable, CustomStringConvertible {
  /// The reason, in words for the administrator.
  public let description: String

  /// The reason quotes nobody's data.
  public init(_ description: String) { self.description = description }
}
