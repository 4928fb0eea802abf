import PolyclinicCore

/// What `polyclinic ID …` does: a module's own commands.
struct ModuleOwnCommands {
  let module: any Module
  /// Opens the installation that `--config` names, or the one here.
  let open: (_ config: String?) throws -> Front

  /// How a command ended.
  enum Outcome: Equatable {
    /// Status 0, on standard output.
    case done([String])
    /// Status 1, on standard error.
    case failed(String)
    /// Status 2, on standard error.
    case misused(String)
  }

  /// The commands of the module that the first word names; nil where it names none.
  static func named(by word: String?, among modules: [any Module]) -> ModuleOwnCommands? {
    modules.first { $0.id.rawValue == word }.map { module in
      ModuleOwnCommands(module: module) {
        try Place(config: $0, plugins: modules).migratedFront()
      }
    }
  }

  /// `words` are what was typed behind the module's id. Throws what opening the installation throws, and
  /// what a command throws that is neither ``CommandFailure`` nor a `Refusal`.
  func run(_ words: [String]) throws -> Outcome {
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
    } catch let failure as CommandFailure {
      return .failed(failure.description)
    }
  }

  private func run(_ command: Command, _ reading: CommandLineReading) throws -> [String] {
    let call = try reading.call()
    let front = try open(reading.config)
    guard let member = front.installation.members.first(where: { $0.module.id == module.id }),
      member.isEnabled
    else {
      throw CommandFailure(
        "The module \"\(module.id)\" is switched off. Switch it on with: "
          + "polyclinic module enable \(module.id)")
    }
    do {
      return try command.run(front.portal(for: member), call).map(TextTable.plain)
    } catch let refusal as Refusal {
      throw CommandFailure(refusal.sentence { member.phrasebook.string($0, in: .english) })
    }
  }

  private func title() throws -> String {
    try Phrasebook(Catalog.shared).preceded(by: module.catalog).string(module.title, in: .english)
  }

  private func unknown(_ name: String) -> String {
    let known = module.commands.map(\.name)
    return "Error: The module \"\(module.id)\" has no command \"\(name)\"."
      + Suggestion.sentence(for: name, among: known)
  }
}
