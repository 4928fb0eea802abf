import PolyclinicCore
import Yams

/// Reads the section `modules`: the enabled modules and their settings.
struct ConfigurationModules {
  let problems: ConfigurationProblems

  /// Returns the state of every known module. An unnamed module is disabled and has its default
  /// settings.
  func read(
    _ node: Node?, known: [Configuration.KnownModule]
  ) -> [ModuleID: Configuration.ModuleState] {
    var states: [ModuleID: Configuration.ModuleState] = [:]
    for module in known {
      states[module.id] = Configuration.ModuleState(
        isEnabled: false, settings: Portal.Settings(module.settings))
    }
    for (key, value) in ConfigurationSection.pairs(node, path: "modules", problems: problems) {
      let name = key.scalar?.string ?? ""
      guard let module = known.first(where: { $0.id.rawValue == name }) else {
        problems.add("modules.\(name)", at: key.mark, unknown(name, known))
        continue
      }
      states[module.id] = state(value, at: key.mark, of: module)
    }
    return states
  }

  private func unknown(_ name: String, _ known: [Configuration.KnownModule]) -> String {
    let names = known.map(\.id.rawValue).sorted()
    return "unknown module.\(Suggestion(for: name, among: names).sentence)"
  }

  private func state(
    _ node: Node, at mark: Mark?, of module: Configuration.KnownModule
  ) -> Configuration.ModuleState {
    let path = "modules.\(module.id)"
    let section = ConfigurationSection(
      node, path: path, known: ["enabled"] + module.settings.map(\.key), what: "setting",
      problems: problems)
    if !section.has("enabled") {
      problems.add(
        path, at: mark,
        "does not say whether it is on; write \"enabled: true\" or \"enabled: false\"")
    }
    var given: [String: Setting.Value] = [:]
    for setting in module.settings {
      given[setting.key] = section.value(setting.key, setting.kind)
    }
    return Configuration.ModuleState(
      isEnabled: section.boolean("enabled") ?? false,
      settings: Portal.Settings(module.settings, given: given))
  }
}
