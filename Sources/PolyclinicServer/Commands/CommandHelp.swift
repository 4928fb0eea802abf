import PolyclinicCore

/// The `--help` text of a module's commands, in the format of swift-argument-parser, which the
/// portal's own commands use.
struct CommandHelp {
  let module: any Module

  /// Returns the text of `polyclinic ID --help`, and of `polyclinic ID` alone.
  func overview(title: String) -> String {
    if module.commands.isEmpty { return "The module \"\(module.id)\" has no commands." }
    return """
      OVERVIEW: \(title).

      USAGE: polyclinic \(module.id) <subcommand>

      \(Self.section("OPTIONS", [Self.help]))

      \(Self.section("SUBCOMMANDS", module.commands.map { ($0.name, $0.about) }))

        See 'polyclinic \(module.id) <subcommand> --help' for detailed help.
      """
  }

  /// Returns the text of `polyclinic ID NAME --help`.
  func details(of command: Command) -> String {
    let arguments = command.parameters.filter(\.isArgument).map { ("<\($0.name)>", $0.about) }
    let options =
      command.parameters.filter { !$0.isArgument }.map { (Self.spelling(of: $0), $0.about) }
      + [("--config <config>", InstallationOptions.about), Self.help]
    let sections =
      (arguments.isEmpty ? [] : [Self.section("ARGUMENTS", arguments)])
      + [Self.section("OPTIONS", options)]
    return """
      OVERVIEW: \(command.about)

      \(usage(of: command, "USAGE"))

      \(sections.joined(separator: "\n\n"))
      """
  }

  /// Returns the message for wrong arguments, with the usage.
  func mistake(_ error: UsageError, in command: Command) -> String {
    """
    Error: \(error.message)
    \(usage(of: command, "Usage"))
      See 'polyclinic \(module.id) \(command.name) --help' for more information.
    """
  }

  private func usage(of command: Command, _ heading: String) -> String {
    let words = command.parameters.map { parameter in
      parameter.isArgument
        ? "<\(parameter.name)>\(parameter.takesSeveral ? " ..." : "")"
        : "[\(Self.spelling(of: parameter))]"
    }
    let all = ["polyclinic", module.id.rawValue, command.name, "[--config <config>]"] + words
    return "\(heading): \(all.joined(separator: " "))"
  }

  private static let help = ("-h, --help", "Show help information.")

  private static func spelling(of parameter: Command.Parameter) -> String {
    parameter.isOption ? "--\(parameter.name) <\(parameter.name)>" : "--\(parameter.name)"
  }

  private static func section(_ title: String, _ rows: [(String, String)]) -> String {
    let width = max(24, (rows.map(\.0.count).max() ?? 0) + 2)
    let lines = rows.map { row in
      "  \(row.0)\(String(repeating: " ", count: width - row.0.count))\(row.1)"
    }
    return ([title + ":"] + lines).joined(separator: "\n")
  }
}
