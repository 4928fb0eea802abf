import PolyclinicCore
import PolyclinicPortal
import PolyclinicSystem
import PolyclinicWeb

/// The actions of `polyclinic module …`. Each returns lines for a terminal.
///
/// They throw ``Command/Failure`` for wrong input.
struct ModuleCommands {
  let installation: Installation

  /// Lists the modules that can be switched: id, state and title in English.
  func list() -> [String] {
    let rows = installation.members.filter { !$0.isBuiltIn }.map { member in
      [
        member.module.id.rawValue, member.isEnabled ? "on" : "off",
        member.phrasebook.string(member.module.title, in: .english),
      ]
    }
    if rows.isEmpty { return ["This portal was built without modules."] }
    return TextTable([["MODULE", "STATE", "TITLE"]] + rows).lines
  }

  func enable(_ id: String, by moduleSwitch: any ModuleSwitch) throws -> [String] {
    let member = try member(id)
    return try lines(
      of: moduleSwitch.set(member.module.id, enabled: true), "\(id) is switched on.")
  }

  /// Switches a module off. Its data stays.
  func disable(_ id: String, by moduleSwitch: any ModuleSwitch) throws -> [String] {
    let member = try member(id)
    return try lines(
      of: moduleSwitch.set(member.module.id, enabled: false),
      "\(id) is switched off. Its data stays.")
  }

  /// The results of the modules' own checks.
  struct Diagnosis {
    let lines: [String]
    /// True if no check found a problem.
    let isHealthy: Bool
  }

  /// Runs the checks of all enabled modules. `portal` returns a module's access to the portal.
  func diagnose(_ portal: (InstalledModule) -> Portal) -> Diagnosis {
    var rows: [[String]] = []
    var isHealthy = true
    for member in installation.enabled {
      let id = member.module.id.rawValue
      let checkResults = member.checkResults(portal(member))
      if checkResults.isEmpty { rows.append([id, "", "nothing to check"]) }
      for result in checkResults {
        if result.problem != nil { isHealthy = false }
        let state = result.details.map { "well: \($0)" } ?? "well"
        rows.append([id, result.check, result.problem ?? state])
      }
    }
    return Diagnosis(lines: TextTable(rows).lines, isHealthy: isHealthy)
  }

  /// Returns the module of this id. Throws ``Command/Failure`` if it is unknown or always on.
  func switchable(_ id: String) throws -> ModuleID { try member(id).module.id }

  private func member(_ id: String) throws -> InstalledModule {
    guard let member = installation.members.first(where: { $0.module.id.rawValue == id }) else {
      let known = installation.members.filter { !$0.isBuiltIn }.map(\.module.id.rawValue).sorted()
      throw Command.Failure(
        "There is no module \"\(id)\".\(Suggestion(for: id, among: known).sentence)")
    }
    if member.isBuiltIn {
      throw Command.Failure("The module \"\(id)\" is part of the portal and always on.")
    }
    return member
  }

  private func lines(of outcome: ModuleSwitching, _ sentence: String) -> [String] {
    switch outcome {
    case .reloading: [sentence, "It takes effect in a moment."]
    case .reloaded: [sentence]
    case .written: [sentence, "It takes effect when the portal is started."]
    case .unwritable(let text): ["The configuration may not be written here.", text]
    }
  }
}
