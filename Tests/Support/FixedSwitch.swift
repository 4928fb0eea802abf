import PolyclinicCore
import PolyclinicPortal

/// A module switch that always returns the same outcome.
package struct FixedSwitch: ModuleSwitch {
  package let outcome: ModuleSwitching

  package init(outcome: ModuleSwitching) { self.outcome = outcome }

  package func set(_ module: ModuleID, enabled: Bool) -> ModuleSwitching { outcome }
}
