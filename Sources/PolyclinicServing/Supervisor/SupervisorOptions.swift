/// The options of a supervisor: its processes and timeouts.
package struct SupervisorOptions: Sendable {
  package var endpoint: Endpoint
  /// The directory of the pid file and the status; created if missing.
  package var runDirectory: String
  /// The path of the installed program.
  package var executable: String
  /// The releases that can replace the installed one; nil to keep none.
  package var releases: ReleaseDirectory?
  package var workers = 1
  /// The number of requests that may wait for a free thread.
  package var backlog = 32
  /// The host and port that the health probe asks for.
  package var host = ""
  /// Returns the responses that the counters have counted.
  package var answers: @Sendable (Counters) -> AnswerCounts = { _ in AnswerCounts() }
  /// The path of the uptime record; nil to keep none.
  package var uptimeFile: String?
  /// The arguments of each process, behind the command of its role.
  package var arguments: [String] = []
  /// The longest time that a process may take to become ready.
  private let readyWithin = Duration.seconds(30)
  /// The longest time that a process may take to finish its work. The supervisor then kills it.
  let drainWithin = Duration.seconds(30)
  private let migratedWithin = Duration.seconds(600)
  /// The heartbeat timeout, for a process that has sent at least one heartbeat.
  let heartbeatTimeout = Duration.seconds(10)

  package init(endpoint: Endpoint, runDirectory: String, executable: String) {
    self.endpoint = endpoint
    self.runDirectory = runDirectory
    self.executable = executable
  }

  func arguments(of role: ProcessRole) -> [String] {
    switch role {
    case .worker: ["worker"] + arguments
    case .jobs: ["jobs"] + arguments
    case .migration: ["migrate"] + arguments
    }
  }

  func startTimeout(of role: ProcessRole) -> Duration {
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
