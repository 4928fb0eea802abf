import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicServing
import PolyclinicSystem

/// Switches a module in the configuration file, and lets the supervisor reload.
struct ConfiguredSwitch: ModuleSwitch {
  let edit: ConfigurationEdit
  let directory: RunDirectory
  /// True to return only after the reload. A worker cannot wait for it, because the reload ends the
  /// worker.
  var waits = false

  /// Switches the module.
  ///
  /// - Throws ``ConfigurationError`` if the changed file would not load.
  /// - Throws ``SystemError`` if the supervisor cannot be signalled.
  /// - Throws ``Command/Failure`` if the reload that it waits for fails.
  func set(_ module: ModuleID, enabled: Bool) throws -> ModuleSwitching {
    switch try edit.set(module.rawValue, isEnabled: enabled) {
    case .left(let instruction): return .unwritable(text: instruction)
    case .changed, .unchanged:
      // Without a supervisor no reload is needed, because the next start reads the file.
      guard let pid = try PidFile.holder(of: directory.pidFile) else { return .written }
      if waits { return try reload() }
      guard kill(pid, SIGHUP) == 0 else { throw SystemError("kill", on: "\(pid)") }
      return .reloading
    }
  }

  private func reload() throws -> ModuleSwitching {
    if let failure = try ReloadRequest(directory: directory).run() {
      throw Command.Failure("The configuration is written. \(failure)")
    }
    return .reloaded
  }
}
