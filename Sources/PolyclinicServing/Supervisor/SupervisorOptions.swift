/// The options of a supervisor: its processes and timeouts.
package struct SupervisorOptions: Sendable {
  package var endpoint: Endpoint
  /// The directory of the pid file and the status; created if missing.
  package var runDirectory: String
  /// The path of the installed program.
  package var executable: String
  /// The releases that can replace the installed one; nil to keep none.
  package var releases: ReleaseDirectory?
  package var workers: Int
  /// The number of requests that may wait for a free thread.
  package var backlog: Int
  /// The host and port that the health probe asks for.
  package var host = ""
  /// Returns the responses that the counters have counted.
  package var answers: @Sendable (Counters) -> AnswerCounts = { _ in AnswerCounts() }
  /// The path of the uptime record; nil to keep none.
  package var uptimeFile: String?
  package var workerArguments = ["worker"]
  package var jobsArguments = ["jobs"]
  package var migrateArguments = ["migrate"]
  /// The longest time that a process may take to become ready.
  var readyWithin = Duration.seconds(30)
  /// The longest time that a process may take to finish its work. The supervisor then kills it.
  var drainWithin = Duration.seconds(30)
  var migratedWithin = Duration.seconds(600)
  /// The heartbeat timeout, for a process that has sent at least one heartbeat.
  var heartbeatTimeout = Duration.seconds(10)

  package init(
    endpoint: Endpoint, runDirectory: String, executable: String, releases: ReleaseDirectory? = nil,
    workers: Int, backlog: Int, host: String = "",
    answers: @escaping @Sendable (Counters) -> AnswerCounts = { _ in AnswerCounts() },
    uptimeFile: String? = nil, workerArguments: [String] = ["worker"],
    jobsArguments: [String] = ["jobs"], migrateArguments: [String] = ["migrate"],
    readyWithin: Duration = Duration.seconds(30), drainWithin: Duration = Duration.seconds(30),
    migratedWithin: Duration = Duration.seconds(600),
    heartbeatTimeout: Duration = Duration.seconds(10)
  ) {
    self.endpoint = endpoint
    self.runDirectory = runDirectory
    self.executable = executable
    self.releases = releases
    self.workers = workers
    self.backlog = backlog
    self.host = host
    self.answers = answers
    self.uptimeFile = uptimeFile
    self.workerArguments = workerArguments
    self.jobsArguments = jobsArguments
    self.migrateArguments = migrateArguments
    self.readyWithin = readyWithin
    self.drainWithin = drainWithin
    self.migratedWithin = migratedWithin
    self.heartbeatTimeout = heartbeatTimeout
  }

  package func arguments(of role: ProcessRole) -> [String] {
    switch role {
    case .worker: workerArguments
    case .jobs: jobsArguments
    case .migration: migrateArguments
    }
  }

  package func startTimeout(of role: ProcessRole) -> Duration {
    role == .migration ? migratedWithin : readyWithin
  }
}

/// The paths of the supervisor's files in its directory.
package struct RunDirectory: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  package var pidFile: String { "\(path)/polyclinic.pid" }
  var statusFile: String { "\(path)/status.json" }
  package var countersFile: String { "\(path)/counters" }
  package var fatalRequestsFile: String { "\(path)/fatal-requests" }
}
