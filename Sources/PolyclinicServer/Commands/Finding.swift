import PolyclinicCore

/// What a module's own check said.
struct Finding {
  let check: String
  /// Nil when all is well.
  let problem: String?
}

extension Installation.Member {
  /// Runs the module's checks. One that throws is said to fail, by its error's type alone: an error's
  /// text may quote data.
  func findings(_ portal: Portal) -> [Finding] {
    module.checks.map { check in
      do {
        return Finding(check: check.name, problem: try check.run(portal))
      } catch {
        return Finding(
          check: check.name, problem: "the check itself failed: \(type(of: error))")
      }
    }
  }
}
