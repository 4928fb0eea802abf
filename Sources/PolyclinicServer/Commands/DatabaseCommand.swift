import ArgumentParser
import PolyclinicCore
import PolyclinicServing
import PolyclinicStore
import PolyclinicSystem

struct DatabaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database", abstract: "Move the portal into another database.",
    subcommands: [Move.self, Rows.self, Open.self])

  struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "move",
      abstract: "Move all data into an empty database, and have the portal use it from then on.",
      discussion: """
        polyclinic database move postgresql://USER@HOST/DATABASE [--password-file FILE]
        polyclinic database move sqlite:FILE
        While the rows move, the portal shows its pages and saves nothing. Repeat an interrupted move, or end \
        it with: polyclinic database open.
        """)

    @OptionGroup var options: InstallationOptions
    @OptionGroup var place: DatabasePlace

    func run() throws {
      let local = try options.localInstallation()
      let target = try place.database()
      let owner = try local.owner()
      if let owner, owner.ownsConfiguration {
        throw ExitCode(try owner.runAgain(Array(CommandLine.arguments.dropFirst())))
      }
      if let owner {
        let words = ["database", "rows", target.url, "--config", local.configuration.path]
        let password = target.passwordFile.map { ["--password-file", $0] } ?? []
        let status = try owner.run(words + password, of: Polyclinic.executable)
        guard status == 0 else { throw ExitCode(status) }
      } else {
        printLines(try local.moveRows(to: target))
      }
      printLines(try local.use(target))
    }
  }

  /// The part of a move that the owner of the data does.
  struct Rows: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "rows", abstract: "Move all rows into an empty database.", shouldDisplay: false)

    @OptionGroup var options: InstallationOptions
    @OptionGroup var place: DatabasePlace

    func run() throws {
      printLines(try options.localInstallation().moveRows(to: place.database()))
    }
  }

  struct Open: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "open",
      abstract: "Let the portal save again after a move that was interrupted.")

    @OptionGroup var options: InstallationOptions

    func run() throws {
      let local = try options.localInstallation()
      let (database, _) = try local.open()
      defer { database.close() }
      guard try database.refusesWrites() else {
        return print("\(local.configuration.database.name) accepts changes already.")
      }
      try database.acceptWrites()
      print("\(local.configuration.database.name) accepts changes again.")
    }
  }
}

/// The database that a command names.
struct DatabasePlace: ParsableArguments {
  @Argument(help: "postgresql://USER@HOST/DATABASE or sqlite:FILE") var url: String
  @Option(help: "The file of mode 0600 with the password for PostgreSQL.")
  var passwordFile: String?

  /// Throws ``Misuse`` if the address cannot be understood.
  func database() throws -> Configuration.Database {
    if url.hasPrefix("postgresql:") || url.hasPrefix("postgres:") {
      return .postgresql(
        try PostgreSQLAddress(parsing: url, passwordFile: passwordFile.map(FilePath.absolute)))
    }
    guard url.hasPrefix("sqlite:"), url.utf8.count > "sqlite:".utf8.count, passwordFile == nil
    else {
      throw Misuse("Name postgresql://USER@HOST/DATABASE, or sqlite:FILE without a password file.")
    }
    return .sqlite(path: FilePath.absolute(String(url.dropFirst("sqlite:".count))))
  }
}

extension LocalInstallation {
  /// Moves all rows. Returns lines for the terminal.
  fileprivate func moveRows(to target: Configuration.Database) throws -> [String] {
    guard target != configuration.database else {
      throw Misuse("\(target.name) is the portal's database already.")
    }
    let (source, _) = try open()
    defer { source.close() }
    let into = try target.openOrCreate()
    defer { into.close() }
    let move = DatabaseMove(
      source: source, target: into, installation: try builder().installation(),
      exceptions: DatabaseMove.technicalTables)
    let outcome: DatabaseMove.Outcome
    do { outcome = try move.run(at: .current) } catch let error as DatabaseError {
      throw Command.Failure("Nothing was moved: \(error.detail).")
    }
    let earlier = outcome.found == 0 ? "" : ", \(outcome.found) of them by an earlier attempt"
    return [
      "Moved \(outcome.rows) rows in \(outcome.tables) tables into \(target.name)\(earlier). A digest of "
        + "all rows is the same in both."
    ]
  }

  /// Has the configuration name the database, and the running portal use it. Returns lines for the
  /// terminal.
  fileprivate func use(_ target: Configuration.Database) throws -> [String] {
    let edit = ConfigurationDatabaseEdit(edit: configuredSwitch.edit)
    let former =
      "\(configuration.database.name) is closed for changes, and still holds everybody's data. Later "
      + "erasures do not reach it: delete it once you no longer need it."
    if case .left(let instruction) = try edit.set(target) { return [instruction, former] }
    guard try PidFile.holder(of: runDirectory.pidFile) != nil else {
      return ["The configuration names \(target.name).", former]
    }
    if let failure = try ReloadRequest(directory: runDirectory).run() {
      throw Command.Failure("The configuration names \(target.name). \(failure)")
    }
    return ["The portal uses \(target.name).", former]
  }
}
