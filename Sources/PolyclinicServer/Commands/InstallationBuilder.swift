import Logging
import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicVault
import PolyclinicWeb

/// Builds an ``Installation`` from the list of modules, and from it a ``ServerContext`` with
/// database and vault.
package struct InstallationBuilder {
  /// The modules of the site's list, in that order.
  package let plugins: [any Module]
  /// The modules that only a demonstration portal has. They are always on.
  package let demonstrationModules: [any Module]
  package let isEnabled: (ModuleID) -> Bool
  package let settings: (ModuleID) -> Portal.Settings
  package let site: ServerContext.Site
  /// The files that show the state of the portal.
  package let files: InstallationFiles
  /// Switches modules on and off for the administration pages.
  package let moduleSwitch: any ModuleSwitch
  /// The years for which a module keeps records of erased people.
  package var retentionYears: (ModuleID) -> Int = { _ in 0 }
  /// Reads the modules' catalogs.
  package var read: Phrasebook.Reading = Phrasebook.read(_:after:)
  /// The server that the built-in modules use. A builder makes one server at most.
  private let server = ServerReference()

  package init(
    plugins: [any Module], demonstrationModules: [any Module] = [],
    isEnabled: @escaping (ModuleID) -> Bool,
    settings: @escaping (ModuleID) -> Portal.Settings, site: ServerContext.Site,
    files: InstallationFiles,
    moduleSwitch: any ModuleSwitch, retentionYears: @escaping (ModuleID) -> Int = { _ in 0 }
  ) {
    self.plugins = plugins
    self.demonstrationModules = demonstrationModules
    self.isEnabled = isEnabled
    self.settings = settings
    self.site = site
    self.files = files
    self.moduleSwitch = moduleSwitch
    self.retentionYears = retentionYears
  }

  /// Returns the installation. Throws ``InstallationError`` or `CatalogError` if modules contradict
  /// one another.
  package func installation() throws -> Installation {
    let enabled = plugins.filter { isEnabled($0.id) }
    let parts = enabled.flatMap { OwnedProfilePart.all($0.profileParts, of: $0.id) }
    let accounts = AccountsModule(
      files: files, parts: parts, address: site.addressRule,
      clinic: site.clinicRule,
      trashes: plugins.compactMap(\.trash),
      retentions: plugins.compactMap(\.retention),
      programs: enabled.filter { !$0.resources.isEmpty || !$0.readOnlyResources.isEmpty }.map(
        ProgramAccess.init))
    return try Installation(
      builtIn: [
        // Accounts come first, because the tables of all other modules refer to theirs.
        accounts, DashboardModule(), NotificationsModule(sends: site.sends),
        AdministrationModule(moduleSwitch), HealthModule(files),
      ] + demonstrationModules,
      plugins: plugins, isEnabled: isEnabled, settings: settings, clinic: site.clinic,
      retentionYears: retentionYears, commands: RootCommand.names, read: read)
  }

  /// Returns the state that the threads of a worker share. The database must have its schema
  /// already.
  package func serverContext(
    _ installation: Installation, database: any StoredDatabase, ring: KeyRing, passwords: Passwords,
    assets: Assets, instruments: Instruments, securityLog: Logger = Logger(label: "security"),
    clock: @escaping @Sendable () -> Instant
  ) throws -> ServerContext {
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    return try ServerContext(
      installation: installation, site: site,
      signIn: .init(module: AccountsModule.moduleID, page: SignInPage.interrupting),
      database: database, vault: vault, passwords: passwords, assets: assets,
      instruments: instruments, securityLog: securityLog, clock: clock, reference: server,
      guardianNotices: AccountNotices(
        installation: installation, vault: vault, language: site.clinic.defaultLanguage,
        sends: site.sends),
      noticeBoard: { member in
        ModuleNoticeBoard(
          module: member.module.id, kinds: member.module.noticeKinds, words: member.phrasebook,
          language: site.clinic.defaultLanguage, vault: vault, sends: site.sends,
          guardianAccess: member.module.guardianAccess)
      })
  }

  /// Migrates a new database and creates the keys of its vault.
  package static func establish(
    _ database: any StoredDatabase, _ installation: Installation, ring: KeyRing, at now: Instant
  ) throws {
    _ = try Migrator(database, installation.migrations).migrate(at: now)
    _ = try database.write { try Vault.establish(ring: ring, on: $0) }
  }
}
