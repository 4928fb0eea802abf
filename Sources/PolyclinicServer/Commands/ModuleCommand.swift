import ArgumentParser
import PolyclinicCore
import PolyclinicPortal
import PolyclinicWeb

struct ModuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "module", abstract: "List, check, switch and write modules.",
    subcommands: [
      List.self, Enable.self, Disable.self, Doctor.self, New.self, Record.self,
    ])

  struct List: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List all modules with their state.")
    @OptionGroup var options: InstallationOptions

    func run() throws {
      let local = try options.localInstallation()
      let installation = try local.builder(local.storedSwitches()).installation()
      printLines(ModuleCommands(installation: installation).list())
    }
  }

  struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "enable", abstract: "Switch a module on.")
    @OptionGroup var options: InstallationOptions
    @Argument(help: "The module's id, as \"module list\" shows it.") var id: String

    func run() throws {
      try options.switching(id, .enableModule) { commands, moduleSwitch in
        try commands.enable(id, by: moduleSwitch)
      }
    }
  }

  struct Disable: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "disable", abstract: "Switch a module off; its data stays.")
    @OptionGroup var options: InstallationOptions
    @Argument(help: "The module's id, as \"module list\" shows it.") var id: String

    func run() throws {
      try options.switching(id, .disableModule) { commands, moduleSwitch in
        try commands.disable(id, by: moduleSwitch)
      }
    }
  }

  struct Doctor: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "doctor", abstract: "Run the modules' own checks.")
    @OptionGroup var options: InstallationOptions

    func run() throws {
      let server = try options.localInstallation().serverContext()
      let diagnosis = ModuleCommands(installation: server.installation)
        .diagnose(server.portal(for:))
      printLines(diagnosis.lines)
      if !diagnosis.isHealthy { throw ExitCode(1) }
    }
  }
}

extension ModuleCommand {
  /// Root's part of a switch that the data's owner makes: a record of it in the database.
  struct Record: InstallationCommand {
    static let configuration = CommandConfiguration(
      commandName: "record", abstract: "Record that a module is switched.", shouldDisplay: false)
    @OptionGroup var options: InstallationOptions
    @Argument var id: String
    @Flag var off = false

    func run() throws {
      let local = try options.localInstallation()
      let module = try ModuleCommands(installation: local.builder().installation()).switchable(id)
      let action: AuditEntry.Action = off ? .disableModule : .enableModule
      try local.record(AuditEntry(action, by: .commandLine, at: .current, module: module))
    }
  }
}

extension InstallationOptions {
  /// Switches a module and prints the result after the switch has taken effect. Adds the same audit
  /// entry as the administration page.
  ///
  /// Root does it as the owner of the data, who records it, if that user may change the
  /// configuration. Otherwise root writes the configuration itself.
  fileprivate func switching(
    _ id: String, _ action: AuditEntry.Action,
    _ change: (ModuleCommands, any ModuleSwitch) throws -> [String]
  ) throws {
    let local = try localInstallation()
    var configuredSwitch = local.configuredSwitch
    configuredSwitch.waits = true
    let commands = ModuleCommands(installation: try local.builder().installation())
    let module = try commands.switchable(id)
    let owner = try local.owner()
    if let owner, owner.ownsConfiguration {
      throw ExitCode(try owner.runAgain(Array(CommandLine.arguments.dropFirst())))
    }
    do {
      if let owner {
        let off = action == .disableModule ? ["--off"] : []
        let words = ["module", "record", id, "--config", local.configuration.path] + off
        guard try owner.run(words, of: Polyclinic.executable) == 0 else {
          throw Command.Failure("the user \(owner.user.name) could not make it")
        }
      } else {
        try local.record(AuditEntry(action, by: .commandLine, at: .current, module: module))
      }
    } catch {
      // Only a warning, because a module may have to be switched off before the database opens
      // again.
      print("No record was made of this: \((error as? DatabaseError)?.sentence ?? "\(error)")")
    }
    printLines(try change(commands, local.sharedSwitch ?? configuredSwitch))
  }
}

/// Prints the lines of a command's result.
func printLines(_ lines: [String]) {
  for line in lines { print(line) }
}
