import Glibc
import PolyclinicCore

/// Switches a module by its word in the configuration file, and has the supervisor begin anew.
struct ConfiguredSwitch: ModuleSwitch {
  let edit: ConfigurationEdit
  let pidFile: String

  /// Throws ``ConfigurationError`` when the file would not load any more, and ``SystemError`` when
  /// the supervisor cannot be told.
  func set(_ module: ModuleID, enabled: Bool) throws -> ModuleSwitching {
    switch try edit.set(module.rawValue, isEnabled: enabled) {
    case .left(let instruction): return .unwritable(text: instruction)
    case .changed, .unchanged:
      // Without a supervisor there is nothing to begin anew: the next start reads the file.
      guard let pid = try PidFile.holder(of: pidFile) else { return .written }
      guard kill(pid, SIGHUP) == 0 else { throw SystemError("kill", on: "\(pid)") }
      return .reloading
    }
  }
}
