import PolyclinicCore

/// What `polyclinic module …` does; each returns lines for a terminal.
///
/// Mistakes are thrown as ``CommandFailure``.
struct ModuleCommands {
  let installation: Installation

  /// The modules that can be switched: id, state and title in English.
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

  /// The module's data stays.
  func disable(_ id: String, by moduleSwitch: any ModuleSwitch) throws -> [String] {
    let member = try member(id)
    return try lines(
      of: moduleSwitch.set(member.module.id, enabled: false),
      "\(id) is switched off. Its data stays.")
  }

  /// What the modules' own checks say.
  struct Diagnosis {
    let lines: [String]
    /// Whether nothing is wrong.
    let isHealthy: Bool
  }

  /// Runs all checks of the modules that are on; `portal` is what each of them sees.
  func diagnose(_ portal: (Installation.Member) -> Portal) -> Diagnosis {
    var rows: [[String]] = []
    var isHealthy = true
    for member in installation.enabled {
      let id = member.module.id.rawValue
      let findings = member.findings(portal(member))
      if findings.isEmpty { rows.append([id, "", "nothing to check"]) }
      for finding in findings {
        if finding.problem != nil { isHealthy = false }
        let state = finding.details.map { "well: \($0)" } ?? "well"
        rows.append([id, finding.check, finding.problem ?? state])
      }
    }
    return Diagnosis(lines: TextTable(rows).lines, isHealthy: isHealthy)
  }

  /// The module of this id; throws ``CommandFailure`` for one that is unknown or always on.
  func switchable(_ id: String) throws -> ModuleID { try member(id).module.id }

  private func member(_ id: String) throws -> Installation.Member {
    guard let member = installation.members.first(where: { $0.module.id.rawValue == id }) else {
      let known = installation.members.filter { !$0.isBuiltIn }.map(\.module.id.rawValue).sorted()
      throw CommandFailure(
        "There is no module \"\(id)\".\(Suggestion.sentence(for: id, among: known))")
    }
    if member.isBuiltIn {
      throw CommandFailure("The module \"\(id)\" is part of the portal and always on.")
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
