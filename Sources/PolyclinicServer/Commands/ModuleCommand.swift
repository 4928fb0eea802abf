import ArgumentParser
import PolyclinicCore

struct ModuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "module", abstract: "List, check and switch modules.",
    subcommands: [List.self, Enable.self, Disable.self, Doctor.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "All modules, and whether they are on.")
    @OptionGroup var options: PlaceOptions

    func run() throws {
      let installation = try options.place().assembly().installation()
      printLines(ModuleCommands(installation: installation).list())
    }
  }

  struct Enable: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "enable", abstract: "Switch a module on.")
    @OptionGroup var options: PlaceOptions
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
    @OptionGroup var options: PlaceOptions
    @Argument(help: "The module's id, as \"module list\" shows it.") var id: String

    func run() throws {
      try options.switching(id, .disableModule) { commands, moduleSwitch in
        try commands.disable(id, by: moduleSwitch)
      }
    }
  }

  struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "doctor", abstract: "Run the modules' own checks.")
    @OptionGroup var options: PlaceOptions

    func run() throws {
      let front = try options.place().front()
      let diagnosis = ModuleCommands(installation: front.installation)
        .diagnose(front.portal(for:))
      printLines(diagnosis.lines)
      if !diagnosis.isHealthy { throw ExitCode(1) }
    }
  }
}

extension PlaceOptions {
  /// Prints what came of switching a module, when it has taken effect. The wish is recorded as one of
  /// the administrator's page is.
  fileprivate func switching(
    _ id: String, _ action: AuditEntry.Action,
    _ change: (ModuleCommands, ConfiguredSwitch) throws -> [String]
  ) throws {
    let place = try place()
    var moduleSwitch = place.moduleSwitch
    moduleSwitch.waits = true
    let commands = ModuleCommands(installation: try place.assembly().installation())
    let module = try commands.switchable(id)
    do {
      try place.record(AuditEntry(action, by: .commandLine, at: .current, module: module))
    } catch {
      // A module may have to be switched off before the database can be opened again.
      print("No record was made of this: \((error as? DatabaseError)?.sentence ?? "\(error)")")
    }
    printLines(try change(commands, moduleSwitch))
  }
}

/// Prints the lines of a command's result.
func printLines(_ lines: [String]) {
  for line in lines { print(line) }
}
