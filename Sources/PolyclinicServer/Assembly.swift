import Logging
import PolyclinicCore
import PolyclinicStore

/// Puts an installation together: the modules, the database with its schema, the vault.
package struct Assembly {
  /// The modules of the list, in its order.
  let plugins: [any Module]
  let isEnabled: (ModuleID) -> Bool
  let settings: (ModuleID) -> Settings
  let site: Front.Site
  /// What the administrator's buttons switch modules with.
  let moduleSwitch: any ModuleSwitch

  /// The modules, checked against one another.
  func installation() throws -> Installation {
    let administration = AdministrationModule(moduleSwitch)
    let enabled = plugins.filter { isEnabled($0.id) }
    let parts = enabled.flatMap(OwnedProfilePart.all)
    let notifications = NotificationsModule(
      kinds: ([administration] + enabled).flatMap(OwnedNoticeKind.all),
      sendsMail: site.mail != nil)
    let accounts = AccountsModule(
      parts: parts, trashes: plugins.compactMap(\.trash),
      programs: enabled.filter { !$0.resources.isEmpty || !$0.readOnlyResources.isEmpty }.map(
        ProgramAccess.init))
    return try Installation(
      builtIn: [
        // First those whose tables all others refer to.
        accounts, DashboardModule(), notifications, administration, HealthModule(),
      ],
      plugins: plugins, isEnabled: isEnabled, settings: settings)
  }

  /// What the threads of a worker share. The database has its schema by now.
  func front(
    _ installation: Installation, database: any Database, ring: KeyRing, passwords: Passwords,
    assets: Assets, instruments: Instruments, securityLog: Logger = Logger(label: "security"),
    clock: @escaping @Sendable () -> Instant
  ) throws -> Front {
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    return try Front(
      installation: installation, site: site, database: database, vault: vault,
      passwords: passwords, assets: assets, instruments: instruments, securityLog: securityLog,
      clock: clock)
  }

  /// Gives a new database its schema and its keys.
  static func establish(
    _ database: SQLiteDatabase, _ installation: Installation, ring: KeyRing, at now: Instant
  ) throws {
    _ = try Migrator(database, installation.migrations).migrate(at: now)
    _ = try database.write { try Vault.establish(ring: ring, on: $0) }
  }
}
