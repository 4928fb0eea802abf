import PolyclinicCore
import PolyclinicSystem
import PolyclinicWeb

/// Runs `polyclinic ID …`: a module's own commands.
package struct ModuleOwnCommands {
  package let module: any Module
  /// Opens the installation that `--config` names, or the default one.
  package let open: (_ config: String?) throws -> ServerContext
  /// Throws the exit status of the command if another user than root's has run it.
  private let becomeOwner: (_ config: String?, _ files: [NamedFile]) throws -> Void

  package init(module: any Module, open: @escaping (_ config: String?) throws -> ServerContext) {
    self.init(module: module, open: open) { _, _ in }
  }

  private init(
    module: any Module, open: @escaping (_ config: String?) throws -> ServerContext,
    becomeOwner: @escaping (_ config: String?, _ files: [NamedFile]) throws -> Void
  ) {
    self.module = module
    self.open = open
    self.becomeOwner = becomeOwner
  }

  /// The outcome of a command, with its output.
  package enum Outcome: Equatable {
    /// Status 0, on standard output.
    case done([String])
    /// Status 1, on standard error.
    case failed(String)
    /// Status 2, on standard error.
    case misused(String)
  }

  /// Returns the commands of the module that the first word names; nil if it names no module.
  package static func named(by word: String?, among modules: [any Module]) -> ModuleOwnCommands? {
    modules.first { $0.id.rawValue == word }.map { module in
      ModuleOwnCommands(
        module: module,
        open: { try LocalInstallation(config: $0, plugins: modules).migratedServerContext() },
        becomeOwner: { try InstallationOptions(config: $0).becomeOwner(naming: $1) })
    }
  }

  /// Runs a command with the words after the module's id.
  ///
  /// Throws errors of opening the installation. Throws errors of the command, except
  /// ``Command/Failure`` and `Refusal`, which become outcomes.
  package func run(_ words: [String]) throws -> Outcome {
    let help = CommandHelp(module: module)
    guard let name = words.first, name != "-h", name != "--help" else {
      return .done([help.overview(title: try title())])
    }
    guard let command = module.commands.first(where: { $0.name == name }) else {
      return .misused(unknown(name))
    }
    do {
      let reading = try CommandLineReading(Array(words.dropFirst()), for: command)
      if reading.wantsHelp { return .done([help.details(of: command)]) }
      return .done(try run(command, reading))
    } catch let error as UsageError {
      return .misused(help.mistake(error, in: command))
    } catch let failure as Command.Failure {
      return .failed(failure.description)
    }
  }

  private func run(_ command: Command, _ reading: CommandLineReading) throws -> [String] {
    try becomeOwner(reading.config, reading.files)
    let call = try reading.call()
    let server = try open(reading.config)
    guard let member = server.installation.members.first(where: { $0.module.id == module.id }),
      member.isEnabled
    else {
      throw Command.Failure(
        "The module \"\(module.id)\" is switched off. Switch it on with: "
          + "polyclinic module enable \(module.id)")
    }
    do {
      return try command.run(server.portal(for: member), call).map(TextTable.plain)
    } catch let refusal as Refusal {
      throw Command.Failure(refusal.sentence { member.phrasebook.string($0, in: .english) })
    }
  }

  private func title() throws -> String {
    try Phrasebook(Catalog.shared).preceded(by: module.catalog).string(module.title, in: .english)
  }

  private func unknown(_ name: String) -> String {
    let known = module.commands.map(\.name)
    return "Error: The module \"\(module.id)\" has no command \"\(name)\"."
      + Suggestion(for: name, among: known).sentence
  }
}
