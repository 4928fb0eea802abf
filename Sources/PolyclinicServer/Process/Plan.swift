/// What a supervisor runs, and how patiently.
struct Plan: Sendable {
  var endpoint: Endpoint
  /// Holds the pid file and the status; made when it is not there.
  var runDirectory: String
  var executable: String
  var workers: Int
  /// How many requests may wait until a thread is free.
  var backlog: Int
  /// The host and port that the probe of availability asks for.
  var host = ""
  /// The record of availability; nil to keep none.
  var availabilityFile: String?
  var workerArguments = ["worker"]
  var jobsArguments = ["jobs"]
  var migrateArguments = ["migrate"]
  /// How long a process may take until it is ready.
  var readyWithin = Duration.seconds(30)
  /// How long a process may take to finish what it has begun; then it is killed.
  var drainWithin = Duration.seconds(30)
  var migratedWithin = Duration.seconds(600)
  /// How long a process may be silent that has said that it lives.
  var silentFor = Duration.seconds(10)

  func arguments(of role: ProcessRole) -> [String] {
    switch role {
    case .worker: workerArguments
    case .jobs: jobsArguments
    case .migration: migrateArguments
    }
  }

  func patience(with role: ProcessRole) -> Duration {
    role == .migration ? migratedWithin : readyWithin
  }
}

/// Where the files of the supervisor stand in its directory.
struct RunDirectory: Sendable {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  var pidFile: String { "\(path)/polyclinic.pid" }
  var statusFile: String { "\(path)/status.json" }
  var countersFile: String { "\(path)/counters" }
  var fatalRequestsFile: String { "\(path)/fatal-requests" }
}
