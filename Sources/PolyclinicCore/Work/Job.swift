/// A background job, run in the `jobs` process.
public struct Job: Sendable {
  /// The job's name, unique within the module.
  public let name: String
  /// The timeout of one run, after which its process is killed and the job is retried later.
  public let limit: Seconds
  /// True if the job starts a program that uses the network, which the systemd unit must then
  /// allow.
  public private(set) var usesNetwork = false
  /// Does the due work and returns the time of the next run.
  public let run: @Sendable (Portal) throws -> Instant

  /// Creates a job; `run` is called at the due time, and again later if it throws or times out.
  public init(
    _ name: StaticString, limit: Seconds = .minutes(10),
    _ run: @escaping @Sendable (Portal) throws -> Instant
  ) {
    self.name = name.description
    self.limit = limit
    self.run = run
  }

  /// This job, as one that starts a program that uses the network.
  public var usingNetwork: Job {
    var job = self
    job.usesNetwork = true
    return job
  }
}

/// A check of a module's health, run by `polyclinic module doctor` and `polyclinic check`.
public struct HealthCheck: Sendable {
  /// The check's name, unique within the module.
  public let name: String
  /// Returns a description of the problem for the administrator; nil if there is none.
  public let run: @Sendable (Portal) throws -> String?
  /// Returns a status for a healthy module, such as the age of data; nil for no status.
  public let details: @Sendable (Portal) throws -> String?

  /// Creates a check; `run` is called for each check, and `details` only if `run` finds no problem.
  public init(
    _ name: StaticString, _ run: @escaping @Sendable (Portal) throws -> String?,
    details: @escaping @Sendable (Portal) throws -> String? = { _ in nil }
  ) {
    self.name = name.description
    self.run = run
    self.details = details
  }
}

extension Job {
  /// A failure of a job, logged with its reason.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The reason, in words for the administrator.
    public let description: String

    /// Creates a failure; the reason must not contain personal data.
    public init(_ description: String) { self.description = description }
  }
}
