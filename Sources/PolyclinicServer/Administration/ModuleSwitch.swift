import PolyclinicCore

/// Switches modules for good: in the configuration, with which the portal then begins anew.
protocol ModuleSwitch: Sendable {
  /// Writes whether a module is on, and has the portal reload.
  func set(_ module: ModuleID, enabled: Bool) throws -> ModuleSwitching
}

/// What came of switching a module.
enum ModuleSwitching: Equatable, Sendable {
  /// Written; it takes effect when the portal has begun anew, in a moment.
  case reloading
  /// Written, and in effect.
  case reloaded
  /// Written; it takes effect when the portal starts, which does not run now.
  case written
  /// The configuration may not be written: what to write into it by hand.
  case unwritable(text: String)
}
