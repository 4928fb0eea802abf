import Foundation
import Logging
import PolyclinicCore
import PolyclinicPlaces
import PolyclinicPortal
import PolyclinicServing
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// An installation on this machine: its configuration and the files that it names.
struct LocalInstallation {
  let configuration: Configuration
  let plugins: [any Module]
  /// The modules that only a demonstration portal has.
  let demonstrationModules = Polyclinic.demonstrationModules

  /// Reads the configuration file. Throws ``ConfigurationError`` with all of its errors.
  init(config: String?, plugins: [any Module]) throws {
    let environment = ProcessInfo.processInfo.environment
    let path = try Configuration.location(option: config, environment: environment)
    self.init(
      try Configuration.load(
        FilePath.absolute(path), modules: Self.known(plugins), environment: environment),
      plugins: plugins)
  }

  init(_ configuration: Configuration, plugins: [any Module]) {
    self.configuration = configuration
    self.plugins = plugins
  }

  static func known(_ plugins: [any Module]) -> [Configuration.KnownModule] {
    plugins.map {
      Configuration.KnownModule(
        id: $0.id, settings: $0.settings, hasRetention: $0.retention != nil,
        isEnabledAtFirst: $0.isEnabledAtFirst)
    }
  }

  var runDirectory: RunDirectory { configuration.server.runDirectory }

  private var site: ServerContext.Site {
    var site = ServerContext.Site(
      origin: configuration.server.origin, clinic: configuration.clinic)
    site.sends = sends
    site.quota = configuration.storage.quota
    site.usefulContacts = UsefulContacts(
      replacing: configuration.usefulContacts.mapValues { $0.map(\.contact) })
    site.secondFactor = configuration.secondFactor
    site.addressRule = configuration.addressRule
    site.clinicRule = configuration.clinicRule
    site.guardianship = configuration.guardianship
    return site
  }

  /// `switches` win over the configuration.
  func builder(_ switches: ModuleSwitches = .none) -> InstallationBuilder {
    InstallationBuilder(
      plugins: plugins, demonstrationModules: demonstrationModules,
      isEnabled: { switches[$0] ?? configuration.modules[$0]?.isEnabled ?? false },
      settings: { configuration.modules[$0]?.settings ?? Portal.Settings([]) },
      site: site, files: files, moduleSwitch: moduleSwitch,
      retentionYears: { configuration.retentionYears[$0] ?? 0 })
  }

  /// The switch for modules: in the database if other machines share it, else in the configuration
  /// file.
  private var moduleSwitch: any ModuleSwitch { sharedSwitch ?? configuredSwitch }

  /// The switch for modules in this installation's configuration file.
  var configuredSwitch: ConfiguredSwitch {
    ConfiguredSwitch(
      edit: ConfigurationEdit(
        path: configuration.path, modules: Self.known(plugins),
        environment: ProcessInfo.processInfo.environment),
      directory: runDirectory)
  }

  /// Throws ``Misuse`` if the configured directory lacks the files that nginx serves.
  func requireAssets() throws {
    let directory = configuration.server.www
    guard FilePath.exists(FilePath.join(directory, StaticFiles.mark)) else {
      throw Misuse(
        "There is no \(StaticFiles.mark) in \(directory): name the directory of Polyclinic's www in "
          + "\(configuration.path), as server.www.")
    }
  }

  /// Opens the database and the key ring. Throws an error with the remedy if one of them is
  /// missing.
  func open(
    observer: (any DatabaseObserver)? = nil
  ) throws -> (any StoredDatabase, KeyRing) {
    switch try firstKey() {
    case .create:
      throw Misuse(
        "There is no database (\(configuration.database.name)) yet. \"polyclinic setup\" makes it, "
          + "and its key.")
    case .open:
      let ring = try KeyRing.load(at: configuration.vault.keyFile)
      return (try configuration.database.open(observer: observer), ring)
    }
  }

  /// Creates the key and the database if both are missing. Returns false if both exist.
  func createIfMissing(at now: Instant) throws -> Bool {
    let installation = try builder().installation()
    let first = configuration.database.creation(keyFile: configuration.vault.keyFile)
    try OpenFile.make(directory: configuration.server.data)
    if let directory = configuration.database.directory { try OpenFile.make(directory: directory) }
    // Two processes must not build the same draft.
    return try files.whileReplacing {
      if first.isHalfInPlace {
        try first.finish(for: installation, at: now)
        return true
      }
      guard try firstKey() == .create else { return false }
      try first.make(for: installation, at: now)
      return true
    }
  }

  private func firstKey() throws -> FirstKey {
    try configuration.database.firstKey(keyFile: configuration.vault.keyFile)
  }

  /// Runs the pending migrations and returns them.
  func migrate(at now: Instant) throws -> [Migrator.Step] {
    let (database, ring) = try open()
    defer { database.close() }
    let steps = try Migrator(database, builder().installation().migrations).migrate(at: now)
    try noteSwitches(of: database)
    // Opens the vault, to detect the key file of another database before any worker starts.
    _ = try database.read { try Vault.open(ring: ring, on: $0) }
    do { try erasure(in: database).finishCopies() } catch let failure as Erasure.Failure {
      // The portal can serve: status and check name the file.
      Logger(label: "erasure").error(
        "an erasure is not complete", metadata: ["reason": "\(failure)"])
    }
    return steps
  }

  /// Returns an erasure that a command of this installation makes.
  func erasure(in database: any StoredDatabase) throws -> Erasure {
    Erasure(
      database: database, files: files, migrations: try builder().installation().migrations,
      removeBytes: { try database.removeDeletedBytes(for: .command) })
  }

  /// Stores an audit entry, if the database exists.
  func record(_ entry: AuditEntry) throws {
    guard configuration.database.file.map(FilePath.exists) ?? true else { return }
    let (database, _) = try open()
    defer { database.close() }
    try database.write { try entry.insert(on: $0) }
  }

  /// The configured ways of sending messages.
  var deliveries: [any Delivery] {
    var deliveries: [any Delivery] = []
    if let mail = configuration.mail.flatMap({ OutgoingMail(command: $0.command, from: $0.from) }) {
      deliveries.append(mail)
    }
    if let lines = configuration.notify.flatMap({ OutgoingLines(command: $0.command) }) {
      deliveries.append(lines)
    }
    return deliveries
  }

  /// The ways for which a command is configured.
  var sends: Set<Notice.Kind.Way> { Set(deliveries.map(\.way)) }

  var files: InstallationFiles {
    InstallationFiles(
      runDirectory: runDirectory, data: configuration.server.data,
      database: configuration.database.file,
      backups: BackupDirectory(configuration.backup.directory),
      backupEvery: configuration.backup.every, backupsKept: configuration.backup.keep,
      machine: configuration.server.machine)
  }

  /// Returns the portal's context for a command, with counters of its own.
  func serverContext() throws -> ServerContext {
    let counters = try Counters()
    return try serverContext(Instruments(counters, counters.claimShard()))
  }

  /// Returns ``serverContext()``. Throws ``Command/Failure`` if migrations are pending.
  func migratedServerContext() throws -> ServerContext {
    let (database, _) = try open()
    defer { database.close() }
    let pending = try Migrator(database, builder().installation().migrations).pending()
    guard pending.isEmpty else {
      throw Command.Failure("The database's schema is not up to date. Run: polyclinic migrate")
    }
    return try serverContext()
  }

  /// Returns the instruments for a process of the portal. They share counters with all processes if
  /// the supervisor has created the file.
  func sharedInstruments() throws -> Instruments {
    let counters = try Counters.open(runDirectory.countersFile) ?? Counters()
    return Instruments(counters, counters.claimShard())
  }

  /// Returns the context that all threads of a process share. With a lease, only its holder writes.
  func serverContext(
    _ instruments: Instruments, lease: JobLease? = nil
  ) throws -> ServerContext {
    let (database, ring) = try open(
      observer: WriteWaits(instruments.counters, instruments.shard))
    let builder = builder(try switches(in: database))
    return try builder.serverContext(
      try builder.installation(), database: LeasedDatabase.wrapping(database, lease), ring: ring,
      passwords: Passwords(),
      assets: Assets(directory: configuration.server.www, of: KeptRelease.own?.id),
      instruments: instruments,
      clock: { .current })
  }

  /// Fills a database without people with fictional data.
  func fill(with data: DemonstrationData) throws {
    _ = try migrate(at: .current)
    try data.fill(serverContext())
  }

  /// Returns the job that makes this installation's backups.
  func backupJob(lease: JobLease?, log: Logger) throws -> BackupJob {
    let (database, ring) = try open()
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    return BackupJob(
      backup: Backup(database: LeasedDatabase.wrapping(database, lease), vault: vault),
      machine: configuration.server.machine,
      directory: BackupDirectory(configuration.backup.directory), settings: configuration.backup,
      log: log)
  }

  /// The age of this installation's last good backup.
  func backupAge() throws -> BackupAge {
    BackupAge(
      directory: BackupDirectory(configuration.backup.directory),
      every: configuration.backup.every,
      other: try machines().lastBackup(besides: configuration.server.machine))
  }

  /// Returns the link that creates the first administrator; nil if there is an administrator.
  func administratorLink(at now: Instant) throws -> String? {
    let (database, ring) = try open()
    defer { database.close() }
    let path: Path? = try database.write { connection in
      let vault = try Vault.open(ring: ring, on: connection)
      guard try !Account.isAdministrated(on: connection) else { return nil }
      return try OneTimeLink.makeSetup(at: now, vault, on: connection)
    }
    return path.map { "\(configuration.server.origin)\($0)" }
  }
}
