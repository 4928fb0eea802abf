import ArgumentParser
import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault

struct UserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "Manage accounts and roles.",
    subcommands: [
      List.self, Add.self, GiveRole.self, Approve.self, Reset.self, Erase.self,
    ])

  struct List: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List all people with accounts.")
    @OptionGroup var options: InstallationOptions

    func run() throws {
      try options.localInstallation().withUsers { commands, _ in try commands.list() }
    }
  }

  struct Add: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add an account; prints a one-time link to set its password.")
    @OptionGroup var options: InstallationOptions
    @Argument(help: "Letters, digits and the characters . _ -") var login: String
    @ArgumentParser.Option(help: "The person's role. Everybody is also a patient.")
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

  struct GiveRole: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "role", abstract: "Give a person a role, or remove it with --remove.")
    @OptionGroup var options: InstallationOptions
    @Argument var login: String
    @Argument(help: "Any role but patient, which everybody keeps.") var role:
      UserCommands.GrantedRole
    @Flag(help: "Remove the role.") var remove = false

    func run() throws {
      try options.localInstallation().withUsers { commands, _ in
        remove ? try commands.take(role, from: login) : try commands.give(role, to: login)
      }
    }
  }

  struct Approve: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "approve", abstract: "Give a person the role that waits for approval.")
    @OptionGroup var options: InstallationOptions
    @Argument var login: String

    func run() throws {
      try options.localInstallation().withUsers { commands, _ in try commands.approve(login) }
    }
  }

  struct Reset: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset", abstract: "Print a one-time link for a lost password.")
    @OptionGroup var options: InstallationOptions
    @Argument var login: String
    @Flag(help: "The link also removes the second factor of a person who has lost it.")
    var secondFactor = false

    func run() throws {
      try options.localInstallation().withUsers { commands, _ in
        try commands.reset(login, endingSecondFactor: secondFactor)
      }
    }
  }

  struct Erase: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase", abstract: "Erase a person and all their data for good.")
    @OptionGroup var options: InstallationOptions
    @Argument(help: "The login of the person.") var login: String?
    @ArgumentParser.Option(
      help: "The person's number, for a person without an account.")
    var person: Int64?
    @Flag(help: "Do not ask.") var yes = false

    func validate() throws {
      if (login == nil) == (person == nil) {
        throw ValidationError("Name a login, or a number with --person.")
      }
    }

    func run() throws {
      let local = try options.localInstallation()
      try local.withUsers { commands, database in
        try confirm(try commands.losses(ofErasing: login, or: person.map { ID($0) }))
        let erasure = try local.erasure(in: database)
        return try local.whileNotRestored {
          if let person { return try commands.erase(person: ID(person), by: erasure) }
          return try commands.erase(login ?? "", by: erasure)
        }
      }
    }

    /// Asks for confirmation at a terminal. A script has to give `--yes` if something is lost.
    private func confirm(_ losses: [String]) throws {
      if yes { return }
      guard isatty(STDIN_FILENO) == 1 else {
        if losses.isEmpty { return }
        throw Command.Failure(
          losses.joined(separator: "\n") + "\nNothing was erased. To erase nevertheless, add --yes."
        )
      }
      let name = login ?? person.map { "\($0)" } ?? ""
      printLines(
        losses + ["This erases everything about \(name), now and for good. Type \(name) to go on:"])
      // Root's process passes the output on, so that it is no terminal's, and would be held back.
      fflush(nil)
      guard readLine() == name else { throw Command.Failure("Nothing was erased.") }
    }
  }
}

extension Role: ExpressibleByArgument {}

extension UserCommands.GrantedRole: ExpressibleByArgument {}

extension LocalInstallation {
  /// Runs `body` while no restore replaces the database, because it would bring back whom `body`
  /// erases. Throws ``Command/Failure`` if one does for seconds.
  fileprivate func whileNotRestored<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try files.whileReplacing(body) } catch let error as SystemError
      where error.code == EWOULDBLOCK
    {
      throw Command.Failure(
        "A restore is at work. Nothing was erased. Run the same command again when it has ended.")
    }
  }

  /// Runs a command on the accounts of this installation, and prints its lines.
  fileprivate func withUsers(
    _ body: (UserCommands, any StoredDatabase) throws -> [String]
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
      language: clinic.defaultLanguage, sends: sends, clock: { .current },
      zone: clinic.zone,
      backups: { [files] in
        files.forgetting(at: .current, machines: try database.read { try Machine.all(on: $0) })
      })
    printLines(try body(commands, database))
  }
}
