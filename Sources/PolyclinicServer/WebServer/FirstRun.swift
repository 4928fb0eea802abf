import Glibc
import PolyclinicSystem
import PolyclinicWeb

/// An error that stops a first run. The text names the remedy.
struct FirstRunError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// `polyclinic run`: creates missing files in the data directory, then runs the portal and its own
/// nginx in the foreground until Ctrl-C.
struct FirstRun {
  /// The path of the program to start as supervisor.
  let executable: String
  let environment: [String: String]
  let modules: [Configuration.KnownModule]
  /// The clinic's time zone in a new configuration; nil to use the machine's.
  var timeZone: String?
  /// The accounts that need a second factor, in a new configuration.
  let secondFactor: SecondFactorRule
  /// Returns the paths of all modules of this program.
  let paths: (Configuration) throws -> SitePaths
  /// Creates the key and the database if both are missing. Throws if only one of them exists.
  let prepare: (Configuration) throws -> Void
  /// Returns the link that creates the first administrator; nil if there is an administrator.
  let administratorLink: (Configuration) throws -> String?
  /// Further lines to print after the start.
  var hints: [String] = []
  /// Prints a line on the terminal.
  let say: (String) -> Void

  /// Runs until a signal stops it, then returns 0. Returns 1 if a child ended by itself.
  ///
  /// Throws ``ConfigurationError``, ``FirstRunError``, ``SystemError``, and errors of the closures.
  func run() throws -> Int32 {
    // Other users get no access to new files, and the group may not write them.
    umask(0o027)
    let lifeline = Lifeline(environment: environment)
    // Root starts this program again in a detached session, and then passes it a lifeline.
    guard geteuid() != 0 || lifeline != nil else { return try runAsRoot() }
    let data = DataDirectory(
      path: FilePath.absolute(Self.dataPath(environment)), modules: modules,
      timeZone: timeZone, secondFactor: secondFactor, database: environment[Self.databaseVariable])
    try data.make()
    let configuration = try Configuration.load(
      data.configurationPath, modules: modules, environment: environment)
    try requireNotRunning(configuration)
    let supervisor = try supervisor(data)
    try configuration.server.origin.requireFreePort()
    let nginx = try Program.path(of: "nginx", environment: environment)
    try data.makeParts(
      of: configuration, paths: paths(configuration), environment: environment)
    try prepare(configuration)
    let link = try administratorLink(configuration)

    let foreground = Foreground(say: say)
    // Started after the foreground has blocked the signals: an earlier thread would receive the
    // signal itself.
    try lifeline?.whenSupervisorEnds { kill(getpid(), SIGTERM) }
    foreground.requestLog = RequestLog(
      path: FilePath.join(data.nginxDirectory, "polyclinic.access.log"))
    try foreground.start(
      "nginx",
      Program(
        path: nginx, arguments: ["-e", "stderr", "-c", data.nginxPath], environment: environment),
      whenKilled: .killGroupAndRestart)
    try foreground.start(
      "polyclinic serve",
      Program(
        path: supervisor[0], arguments: Array(supervisor.dropFirst()), environment: environment),
      whenKilled: .restart)
    let isReady = { configuration.server.isAnswering }
    let announce = {
      say("Polyclinic: \(configuration.server.origin)   (Ctrl-C stops it)")
      if let link { say("The first administrator is created here, once: \(link)") }
      for hint in hints { say(hint) }
    }
    return foreground.run(until: isReady, then: announce)
  }

  /// Returns the supervisor's command. Root's supervisor drops its capabilities, if the system
  /// allows it.
  private func supervisor(_ data: DataDirectory) throws -> [String] {
    let serve = [executable, "serve", "--config", data.configurationPath]
    guard geteuid() == 0 else { return serve }
    let unprivileged = try Unprivileged(environment: environment)
    guard try unprivileged.isPossible() else { return serve }
    return [unprivileged.program] + Unprivileged.arguments(as: nil, serve)
  }

  /// Throws ``FirstRunError`` if the portal runs. Call it before changing nginx's files or the key,
  /// because the running portal uses them.
  func requireNotRunning(_ configuration: Configuration) throws {
    guard let pid = try PidFile.holder(of: configuration.server.runDirectory.pidFile) else {
      return
    }
    throw FirstRunError(
      "The portal of \(Self.dataPath(environment)) runs already (process \(pid)), at "
        + "\(configuration.server.origin) or where it was told to. Stop it first, or set DATA to another "
        + "directory.")
  }

  /// The variable with the address of the database in a new configuration.
  static let databaseVariable = "POLYCLINIC_DATABASE"

  /// Returns the value of `DATA`; `data` if it is not set.
  static func dataPath(_ environment: [String: String]) -> String {
    guard let path = environment["DATA"], !path.isEmpty else { return "data" }
    return path
  }
}
