import PolyclinicCore

/// What a module's own check said.
struct Finding {
  let check: String
  /// Nil when all is well.
  let problem: String?
  /// How things are while all is well; nil where the check does not say.
  var details: String?
}

extension Installation.Member {
  /// Runs the module's checks. One that throws is said to fail, by its error's type alone: an error's
  /// text may quote data.
  func findings(_ portal: Portal) -> [Finding] {
    module.checks.map { check in
      do {
        if let problem = try check.run(portal) {
          return Finding(check: check.name, problem: problem)
        }
        return Finding(check: check.name, problem: nil, details: try check.details(portal))
      } catch {
        return Finding(
          check: check.name, problem: "the check itself failed: \(type(of: error))")
      }
    }
  }
}
