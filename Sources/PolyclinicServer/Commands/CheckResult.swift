import PolyclinicCore
import PolyclinicWeb

/// The result of a module's own check.
struct CheckResult {
  let check: String
  /// The problem; nil if all is well.
  let problem: String?
  /// The state if all is well; nil if the check reports none.
  var details: String?
}

extension InstalledModule {
  /// Runs the module's checks. A check that throws counts as failed, with only the type of the
  /// error, because its text may quote data.
  func checkResults(_ portal: Portal) -> [CheckResult] {
    module.checks.map { check in
      do {
        if let problem = try check.run(portal) {
          return CheckResult(check: check.name, problem: problem)
        }
        return CheckResult(check: check.name, problem: nil, details: try check.details(portal))
      } catch {
        return CheckResult(
          check: check.name, problem: "the check itself failed: \(type(of: error))")
      }
    }
  }
}
