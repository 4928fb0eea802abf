import PolyclinicCore
import PolyclinicWeb

/// The fictional data that `polyclinic run --demo` fills a new portal with, and its own pages.
public struct DemonstrationData: Sendable {
  /// The clinic's time zone.
  package let timeZone: String
  /// The logins, one line for each role.
  package let logins: [String]
  /// The modules that only a demonstration portal has.
  package let modules: [any Module]
  /// Fills a portal. Does nothing if an account exists.
  package let fill: @Sendable (ServerContext) throws -> Void

  /// Creates the data of a time zone and its logins, which `fill` adds to a portal without people.
  package init(
    timeZone: String, logins: [String], modules: [any Module],
    fill: @escaping @Sendable (ServerContext) throws -> Void
  ) {
    self.timeZone = timeZone
    self.logins = logins
    self.modules = modules
    self.fill = fill
  }
}
