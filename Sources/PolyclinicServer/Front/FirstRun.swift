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
    let data = DataDirectory(
      path: FilePath.absolute(Self.dataPath(environment)), modules: modules,
      timeZone: timeZone)
    // Other users of the machine read nothing, the group no more than it is let.
    umask(0o027)
    try data.make()
    let configuration = try Configuration.load(
      data.configurationPath, modules: modules, environment: environment)
    try requireNotRunning(configuration)
    let supervisor = try leaveRoot(data, configuration)
    try PortCheck.requireFree(configuration.server.origin)
    let nginx = try Executable.find("nginx", environment: environment)
    try data.makeParts(
      of: configuration, paths: paths(configuration), environment: environment)
    try prepare(configuration)
    let link = try administratorLink(configuration)

    let foreground = Foreground(say: say)
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

  /// Starts this program anew as an ordinary user where root has started it, and does not return then.
  ///
  /// Returns the command of the supervisor: where root cannot become that user, as in a checkout in /root,
  /// the portal runs as root without capabilities, and says why.
  private func leaveRoot(_ data: DataDirectory, _ configuration: Configuration) throws -> [String] {
    let serve = [executable, "serve", "--config", data.configurationPath]
    guard geteuid() == 0 else { return serve }
    let unprivileged = try Unprivileged(environment: environment)
    guard try unprivileged.isPossible() else {
      say("Runs as root with all its capabilities, because this system lets nobody give them away.")
      return serve
    }
    guard let user = try Unprivileged.User(owning: data.path) else {
      try data.tree.give(to: 0, 0)
      say(
        "Runs as root without capabilities, because there is no user polyclinic. Make it: "
          + ".ci/install run")
      return [unprivileged.program] + Unprivileged.arguments(as: nil, serve)
    }
    let obstacle = try obstacle(for: user, unprivileged, data, configuration)
    guard let obstacle else {
      try data.tree.give(to: user.id, user.group)
      try unprivileged.become(user, [executable] + CommandLine.arguments.dropFirst())
    }
    // Files that another user could have written decide nothing for root.
    guard try OpenFile(data.path, O_RDONLY | O_DIRECTORY).status().st_uid == 0 else {
      throw FirstRunError(
        "\(data.path) belongs to the user \(user.name), as whom the portal cannot run, because "
          + "\(obstacle) Start it as that user, or give the directory back to root.")
    }
    try data.tree.give(to: 0, 0)
    say("Runs as root without capabilities, because \(obstacle)")
    return [unprivileged.program] + Unprivileged.arguments(as: nil, serve)
  }

  /// The reason why the portal cannot run as the user, with a remedy; nil where it can.
  private func obstacle(
    for user: Unprivileged.User, _ unprivileged: Unprivileged, _ data: DataDirectory,
    _ configuration: Configuration
  ) throws -> String? {
    let server = configuration.server
    guard server.origin.port >= PortCheck.firstForAll else {
      return
        "port \(server.origin.port) is for root alone: take one from \(PortCheck.firstForAll) on."
    }
    let used = [server.certificate, server.certificateKey, configuration.vault.keyFile]
    let others = used.filter { !$0.hasPrefix(data.path + "/") && FilePath.exists($0) }
    let path = try unprivileged.obstacle(
      for: user, program: executable,
      reading: [FilePath.join(server.www, "style.css"), FilePath.directory(of: data.path)] + others)
    return path.map {
      "the user \(user.name) may not use \($0). Have the portal, its libraries and its data stand "
        + "where every user may read and pass, such as below /opt, with DATA=/srv/polyclinic."
    }
  }

  /// Before nginx's files and the key are looked after: what is there belongs to what runs.
  private func requireNotRunning(_ configuration: Configuration) throws {
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
