import Glibc
import PolyclinicCore

/// Switches a module by its word in the configuration file, and has the supervisor begin anew.
struct ConfiguredSwitch: ModuleSwitch {
  let edit: ConfigurationEdit
  let directory: RunDirectory
  /// Whether it returns only when the portal has begun anew. A worker cannot wait for that: its own end
  /// is part of it.
  var waits = false

  /// Throws ``ConfigurationError`` when the file would not load any more, ``SystemError`` when the
  /// supervisor cannot be told, and ``CommandFailure`` when the reload that it waits for fails.
  func set(_ module: ModuleID, enabled: Bool) throws -> ModuleSwitching {
    switch try edit.set(module.rawValue, isEnabled: enabled) {
    case .left(let instruction): return .unwritable(text: instruction)
    case .changed, .unchanged:
      // Without a supervisor there is nothing to begin anew: the next start reads the file.
      guard let pid = try PidFile.holder(of: directory.pidFile) else { return .written }
      if waits { return try reload() }
      guard kill(pid, SIGHUP) == 0 else { throw SystemError("kill", on: "\(pid)") }
      return .reloading
    }
  }

  private func reload() throws -> ModuleSwitching {
    if let failure = try Reload(directory: directory).run() {
      throw CommandFailure("The configuration is written. \(failure)")
    }
    return .reloaded
  }
}
