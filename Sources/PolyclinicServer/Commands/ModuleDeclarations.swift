import ArgumentParser
import PolyclinicCore
import PolyclinicWeb

/// The modules' commands, as swift-argument-parser declares commands: for help, completion and the
/// manual. ``ModuleOwnCommands`` runs them.
///
/// The library knows a command by its type, and modules are values. So there is a type for each
/// position in the list of modules, and for each position in a module's list of commands.
enum ModuleDeclarations {
  /// Returns the declarations of all modules that have commands.
  static func all(of modules: [any Module]) -> [any ParsableCommand.Type] {
    positions(modules.count).filter { !modules[$0.number].commands.isEmpty }.map { declaration($0) }
  }

  fileprivate static func positions(_ count: Int) -> [any Position.Type] {
    var positions: [any Position.Type] = []
    var next: any Position.Type = First.self
    for _ in 0..<count {
      positions.append(next)
      next = following(next)
    }
    return positions
  }

  private static func following<Place: Position>(_ place: Place.Type) -> any Position.Type {
    Next<Place>.self
  }

  private static func declaration<Place: Position>(
    _ place: Place.Type
  ) -> any ParsableCommand.Type {
    ModuleDeclaration<Place>.self
  }

  fileprivate static func declaration<ModulePlace: Position, Place: Position>(
    _ module: ModulePlace.Type, _ command: Place.Type
  ) -> any ParsableCommand.Type {
    CommandDeclaration<ModulePlace, Place>.self
  }
}

/// A position in a list, as a type.
private protocol Position {
  static var number: Int { get }
}

private enum First: Position {
  static var number: Int { 0 }
}

private enum Next<Before: Position>: Position {
  static var number: Int { Before.number + 1 }
}

/// `polyclinic ID`.
private struct ModuleDeclaration<Place: Position>: ParsableCommand {
  static var configuration: CommandConfiguration {
    let module = Polyclinic.modules[Place.number]
    return CommandConfiguration(
      commandName: module.id.rawValue,
      abstract: "Commands of the module \"\(module.id)\".",
      subcommands: ModuleDeclarations.positions(module.commands.count).map {
        ModuleDeclarations.declaration(Place.self, $0)
      })
  }
}

/// `polyclinic ID NAME`.
private struct CommandDeclaration<ModulePlace: Position, Place: Position>: ParsableCommand,
  CustomReflectable
{
  private static var command: Command {
    Polyclinic.modules[ModulePlace.number].commands[Place.number]
  }

  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: command.name, abstract: command.about)
  }

  init() {}

  init(from decoder: any Decoder) throws {
    // The library checks that it has a key for each child of the mirror.
    _ = try decoder.container(keyedBy: Key.self)
  }

  /// The library finds the parameters of a command among the children of its mirror.
  var customMirror: Mirror {
    Mirror(
      self,
      children: Self.command.parameters.map { ($0.name, $0.declared) }
        + [("options", OptionGroup<InstallationOptions>())])
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension Command.Parameter {
  /// The parameter as a property of swift-argument-parser.
  fileprivate var declared: Any {
    let help = ArgumentHelp(about, valueName: name)
    let completion: CompletionKind? = content == .file ? .file() : nil
    return switch kind {
    case .argument: Argument<String>(help: help, completion: completion)
    case .arguments: Argument<[String]>(help: help, completion: completion)
    case .option:
      ArgumentParser.Option<String?>(name: .customLong(name), help: help, completion: completion)
    case .flag: Flag<Bool>(wrappedValue: false, name: .customLong(name), help: help)
    }
  }
}
