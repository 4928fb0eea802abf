import ArgumentParser
import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicVault

struct UserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "People and what they may do.",
    subcommands: [
      List.self, Add.self, GiveRole.self, Approve.self, Reset.self, Erase.self,
    ])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "All people with accounts.")
    @OptionGroup var options: InstallationOptions

    func run() throws {
      try options.localInstallation().withUsers { commands, _ in try commands.list() }
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add an account; prints a one-time link to set its password.")
    @OptionGroup var options: InstallationOptions
    @Argument(help: "Letters and digits, with . _ - among them.") var login: String
    @ArgumentParser.Option(help: "What the person may do; everybody is a patient, too.")
    var role: Role = .patient
    @Flag(help: "Read the password from standard input instead of printing a link.")
    var passwordStdin = false

    func run() throws {
      let password: UserCommands.NewPassword =
        passwordStdin ? .given(readLine(strippingNewline: true) ?? "") : .link
      try options.localInstallation().withUsers { commands, _ in
        try commands.add(login, role: role, password: password)
      }
    }
  }

  struct GiveRole: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "role", abstract: "Give somebody a role, or take it away with --remove.")
    @OptionGroup var options: InstallationOptions
    @Argument var login: String
    @Argument(help: "Everybody is a patient, and stays one.") var role: UserCommands.GrantedRole
    @Flag(help: "Take the role away.") var remove = false

    func run() throws {
      try options.localInstallation().withUsers { commands, _ in
        remove ? try commands.take(role, from: login) : try commands.give(role, to: login)
      }
    }
  }

  struct Approve: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "approve", abstract: "Give somebody the role that waits for approval.")
    @OptionGroup var options: InstallationOptions
    @Argument var login: String

    func run() throws {
      try options.localInstallation().withUsers { commands, _ in try commands.approve(login) }
    }
  }

  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset", abstract: "Print a one-time link for a lost password.")
    @OptionGroup var options: InstallationOptions
    @Argument var login: String
    @Flag(help: "The link takes the second factor away, too, for somebody who has lost it.")
    var secondFactor = false

    func run() throws {
      try options.localInstallation().withUsers { commands, _ in
        try commands.reset(login, endingSecondFactor: secondFactor)
      }
    }
  }

  struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase", abstract: "Erase a person with all data, now and for good.")
    @OptionGroup var options: InstallationOptions
    @Argument(help: "Whose account it is.") var login: String?
    @ArgumentParser.Option(
      help: "The person's number in place of a login, for somebody without an account.")
    var person: Int64?

    func validate() throws {
      if (login == nil) == (person == nil) {
        throw ValidationError("Name a login, or a number with --person.")
      }
    }

    func run() throws {
      let local = try options.localInstallation()
      try ask(of: login ?? person.map { "\($0)" } ?? "")
      try local.withUsers { commands, database in
        let log = ErasureLog(directory: local.configuration.backup.directory)
        let checkpoint = { try database.checkpointTruncate() }
        if let person {
          return try commands.erase(person: ID(person), log: log, checkpoint: checkpoint)
        }
        return try commands.erase(login ?? "", log: log, checkpoint: checkpoint)
      }
    }

    /// Asks for confirmation at a terminal. A script is not asked.
    private func ask(of name: String) throws {
      guard isatty(STDIN_FILENO) == 1 else { return }
      print("This erases everything about \(name), now and for good. Type \(name) to go on:")
      guard readLine() == name else { throw Command.Failure("Nothing was erased.") }
    }
  }
}

extension Role: ExpressibleByArgument {}

extension UserCommands.GrantedRole: ExpressibleByArgument {}

extension LocalInstallation {
  /// Runs a command on the accounts of this installation, and prints its lines.
  fileprivate func withUsers(
    _ body: (UserCommands, SQLiteDatabase) throws -> [String]
  ) throws {
    let (database, ring) = try open()
    defer { database.close() }
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    let clinic = configuration.clinic
    let commands = UserCommands(
      installation: try builder().installation(), database: database, vault: vault,
      passwords: Passwords(),
      policy: PasswordPolicy(portalName: clinic.name),
      origin: configuration.server.origin,
      language: clinic.defaultLanguage, sendsMail: configuration.mail != nil, clock: { .current },
      zone: clinic.zone,
      backups: { [files] in files.forgetting(at: .current) })
    printLines(try body(commands, database))
  }
}
