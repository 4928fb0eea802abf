import Glibc
import PolyclinicCore
import PolyclinicSystem

extension FirstRun {
  /// Restarts this program as an unprivileged user in a session without root's terminal, and
  /// returns its exit status. Uses root if no such user is possible.
  ///
  /// Throws ``FirstRunError``, ``SystemError`` and ``ConfigurationError``.
  func runAsRoot() throws -> Int32 {
    // The descriptors inherited from the shell may include its terminal.
    try OpenFile.keepAllFromPrograms()
    let tree = try OwnedTree(FilePath.absolute(Self.dataPath(environment)))
    let unprivileged = try Unprivileged(environment: environment)
    let command = [executable] + CommandLine.arguments.dropFirst()
    var program = Program(path: executable, arguments: Array(command.dropFirst()))
    program.environment = environment
    let user: Unprivileged.User? =
      try tree.owner == 0
      ? userForRootsData(in: tree, unprivileged) : owner(of: tree, unprivileged)
    if let user {
      try tree.give(to: user.id, user.group)
      program.path = unprivileged.program
      program.arguments = Unprivileged.arguments(as: user, command)
      program.environment["HOME"] = user.home
    }
    // Passes the path that was checked, even if links have changed since.
    program.environment["DATA"] = tree.path
    return try DetachedProgram(program: program).run()
  }

  /// Returns the user that owns the directory. Reads no file in it, because files of another user
  /// must not influence root.
  private func owner(
    of tree: borrowing OwnedTree, _ unprivileged: Unprivileged
  ) throws -> Unprivileged.User {
    guard let user = Unprivileged.User(owning: tree), user.id != 0 else {
      throw FirstRunError("\(tree.path) belongs to nobody as whom the portal could run.")
    }
    let obstacle =
      try unprivileged.isPossible()
      ? unprivileged.obstacle(for: user, program: executable, reading: [tree.path])
        .map { remedy(for: user, $0) }
      : "this system lets nobody give rights away."
    guard let obstacle else { return user }
    throw FirstRunError(
      "\(tree.path) belongs to the user \(user.name), as whom the portal cannot run, because "
        + "\(obstacle) Start it as that user, or look through its files and give them to root: "
        + "chown -R root: \(tree.path)")
  }

  /// Returns the user that receives root's data and runs the portal. Nil if root runs it, after
  /// printing the reason.
  private func userForRootsData(
    in tree: borrowing OwnedTree, _ unprivileged: Unprivileged
  ) throws -> Unprivileged.User? {
    let data = DataDirectory(
      path: tree.path, modules: modules, timeZone: timeZone, secondFactor: secondFactor,
      database: environment[Self.databaseVariable])
    try tree.requireRoots(FilePath.name(of: data.configurationPath))
    try data.make()
    let configuration = try Configuration.load(
      data.configurationPath, modules: modules, environment: environment)
    try requireNotRunning(configuration)
    let reason: String
    if try !unprivileged.isPossible() {
      reason = "with all its capabilities, because this system lets nobody give them away."
    } else if let user = Unprivileged.User(owning: tree) {
      guard let obstacle = try obstacle(for: user, unprivileged, data, configuration) else {
        return user
      }
      reason = "without capabilities, because \(obstacle)"
    } else {
      reason =
        "without capabilities, because there is no user polyclinic. Make it: .ci/install run"
    }
    if let foreign = try tree.foreignEntry(besides: data.nginxDirectory) {
      throw FirstRunError(
        "Root cannot run the portal with \(foreign), which belongs to another user. Look through the "
          + "files, and give them to root: chown -R root: \(tree.path)")
    }
    say("Runs as root \(reason)")
    return nil
  }

  /// Returns the reason why the portal cannot run as the user, with a remedy; nil if it can.
  private func obstacle(
    for user: Unprivileged.User, _ unprivileged: Unprivileged, _ data: DataDirectory,
    _ configuration: Configuration
  ) throws -> String? {
    let server = configuration.server
    guard server.origin.port >= Portal.Origin.firstPortForAll else {
      return
        "port \(server.origin.port) is for root alone: take one from \(Portal.Origin.firstPortForAll) on."
    }
    let used = [server.certificate, server.certificateKey, configuration.vault.keyFile]
    let others = used.filter { !$0.hasPrefix(data.path + "/") && FilePath.exists($0) }
    return try unprivileged.obstacle(
      for: user, program: executable,
      reading: [FilePath.join(server.www, StaticFiles.mark), FilePath.directory(of: data.path)]
        + others
    ).map { remedy(for: user, $0) }
  }

  private func remedy(for user: Unprivileged.User, _ path: String) -> String {
    "the user \(user.name) may not use \(path). Have the portal, its libraries and its data stand "
      + "where every user may read and pass, such as below /opt, with DATA=/srv/polyclinic."
  }
}
