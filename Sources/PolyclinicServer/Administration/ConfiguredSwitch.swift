import Glibc
import PolyclinicCore

/// Switches modules in the configuration file, and has the running portal reload.
struct ConfiguredSwitch: ModuleSwitch {
  let path: String
  let modules: [Configuration.KnownModule]
  let environment: [String: String]
  let runDirectory: RunDirectory

  func set(_ module: ModuleID, enabled: Bool) throws -> ModuleSwitching {
    let edit = ConfigurationEdit(path: path, modules: modules, environment: environment)
    switch try edit.set(module.rawValue, isEnabled: enabled) {
    case .left(let instruction): return .unwritable(text: instruction)
    // Also where the file said so already: the running portal may have been started before.
    case .changed, .unchanged: return try reload()
    }
  }

  private func reload() throws -> ModuleSwitching {
    guard let supervisor = try PidFile.holder(of: runDirectory.pidFile) else { return .written }
    guard kill(supervisor, SIGHUP) == 0 else { throw SystemError("kill", on: "\(supervisor)") }
    return .reloading
  }
}
