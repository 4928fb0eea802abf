import Glibc

/// A first run cannot go on; the words say the remedy.
struct FirstRunError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// `polyclinic run`: makes what is missing in the data directory, then runs the portal and an nginx
/// of its own in the foreground until Ctrl-C.
struct FirstRun {
  /// The program to start as supervisor, by its path.
  let executable: String
  let environment: [String: String]
  let modules: [Configuration.KnownModule]
  /// The clinic's time zone in a new configuration; nil for the machine's.
  var timeZone: String?
  /// The accounts that have to have a second factor in a new configuration.
  let secondFactor: SecondFactor.Rule
  /// Returns the paths of all modules that are built.
  let paths: (Configuration) throws -> SitePaths
  /// Makes key and database where both are missing, and throws where one stands without the other.
  let prepare: (Configuration) throws -> Void
  /// The link to create the first administrator; nil when there is one.
  let administratorLink: (Configuration) throws -> String?
  /// What else to tell whoever started it, when all is ready.
  var hints: [String] = []
  /// Says a line to whoever started it.
  let say: (String) -> Void

  /// Runs until it is told to stop, then returns 0; 1 when a part ended by itself.
  ///
  /// Throws ``ConfigurationError``, ``FirstRunError``, ``SystemError``, and what the closures throw.
  func run() throws -> Int32 {
    // Other users of the machine read nothing, the group no more than it is let.
    umask(0o027)
    let lifeline = Lifeline(environment: environment)
    // A process that root has started for this purpose has a lifeline.
    guard geteuid() != 0 || lifeline != nil else { return try runAsRoot() }
    let data = DataDirectory(
      path: FilePath.absolute(Self.dataPath(environment)), modules: modules,
      timeZone: timeZone, secondFactor: secondFactor)
    try data.make()
    let configuration = try Configuration.load(
      data.configurationPath, modules: modules, environment: environment)
    try requireNotRunning(configuration)
    let supervisor = try supervisor(data)
    try PortCheck.requireFree(configuration.server.origin)
    let nginx = try Executable.find("nginx", environment: environment)
    try data.makeParts(
      of: configuration, paths: paths(configuration), environment: environment)
    try prepare(configuration)
    let link = try administratorLink(configuration)

    let foreground = Foreground(say: say)
    // A thread that was there before would not leave the signal to the foreground.
    try lifeline?.whenSupervisorEnds { kill(getpid(), SIGTERM) }
    foreground.requestLog = RequestLog(
      path: FilePath.join(data.nginxDirectory, "polyclinic.access.log"))
    try foreground.start(
      "nginx", nginx, ["-e", "stderr", "-c", data.nginxPath], environment: environment,
      whenKilled: .isReplaced)
    try foreground.start(
      "polyclinic serve", supervisor[0], Array(supervisor.dropFirst()), environment: environment,
      whenKilled: .isRevived)
    let isReady = { PortCheck.answers(configuration.server) }
    let announce = {
      say("Polyclinic: \(configuration.server.origin)   (Ctrl-C stops it)")
      if let link { say("The first administrator is created here, once: \(link)") }
      for hint in hints { say(hint) }
    }
    return foreground.run(until: isReady, then: announce)
  }

  /// The command of the supervisor; root's has no capabilities, where the system lets it give them away.
  private func supervisor(_ data: DataDirectory) throws -> [String] {
    let serve = [executable, "serve", "--config", data.configurationPath]
    guard geteuid() == 0 else { return serve }
    let unprivileged = try Unprivileged(environment: environment)
    guard try unprivileged.isPossible() else { return serve }
    return [unprivileged.program] + Unprivileged.arguments(as: nil, serve)
  }

  /// Before nginx's files and the key are looked after: what is there belongs to what runs.
  func requireNotRunning(_ configuration: Configuration) throws {
    guard let pid = try PidFile.holder(of: configuration.server.runDirectory.pidFile) else {
      return
    }
    throw FirstRunError(
      "The portal of \(Self.dataPath(environment)) runs already (process \(pid)), at "
        + "\(configuration.server.origin) or where it was told to. Stop it first, or set DATA to another "
        + "directory.")
  }

  /// `data` where `DATA` says nothing.
  static func dataPath(_ environment: [String: String]) -> String {
    guard let path = environment["DATA"], !path.isEmpty else { return "data" }
    return path
  }
}
