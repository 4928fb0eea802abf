import PolyclinicCore

/// Turns modules on and off in the configuration and reloads the portal.
package protocol ModuleSwitch: Sendable {
  /// Writes the module's setting to the configuration and has the portal reload.
  func set(_ module: ModuleID, enabled: Bool) throws -> ModuleSwitching
}

/// The outcome of turning a module on or off.
package enum ModuleSwitching: Equatable, Sendable {
  /// The configuration is written. It takes effect when the portal has reloaded, in a moment.
  case reloading
  /// The configuration is written and in effect.
  case reloaded
  /// The configuration is written. It takes effect when the portal starts; it is not running.
  case written
  /// The configuration is not writable. An administrator has to add `text` to it by hand.
  case unwritable(text: String)
}
