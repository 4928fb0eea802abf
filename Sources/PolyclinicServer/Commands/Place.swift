import Foundation
import Logging
import PolyclinicCore
import PolyclinicStore

/// One installation on this machine: its configuration, and what stands where the configuration says.
struct Place {
  let configuration: Configuration
  let plugins: [any Module]

  /// Reads the configuration file; throws ``ConfigurationError`` with all that is wrong in it.
  init(config: String?, plugins: [any Module]) throws {
    let environment = ProcessInfo.processInfo.environment
    let path = Configuration.location(option: config, environment: environment)
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
    plugins.map { Configuration.KnownModule(id: $0.id, settings: $0.settings) }
  }

  var databasePath: String {
    switch configuration.database {
    case .sqlite(let path): path
    }
  }

  var runDirectory: RunDirectory { configuration.server.runDirectory }

  func assembly() -> Assembly {
    Assembly(
      plugins: plugins,
      isEnabled: { configuration.modules[$0]?.isEnabled ?? false },
      settings: { configuration.modules[$0]?.settings ?? Settings([]) },
      site: Front.Site(
        origin: configuration.server.origin, clinic: configuration.clinic,
        mail: configuration.mail.flatMap(OutgoingMail.init), quota: configuration.storage.quota,
        usefulContacts: UsefulContacts(
          replacing: configuration.usefulContacts.mapValues { $0.map(\.contact) }),
        secondFactor: configuration.secondFactor),
      moduleSwitch: moduleSwitch)
  }

  /// Switches modules in this installation's configuration file.
  var moduleSwitch: ConfiguredSwitch {
    ConfiguredSwitch(
      edit: ConfigurationEdit(
        path: configuration.path, modules: Self.known(plugins),
        environment: ProcessInfo.processInfo.environment),
      directory: runDirectory)
  }

  /// Throws ``Misuse`` when the files that nginx serves are not where the configuration says.
  func requireAssets() throws {
    let directory = configuration.server.www
    guard FilePath.exists(FilePath.join(directory, "style.css")) else {
      throw Misuse(
        "There is no style.css in \(directory): name the directory of Polyclinic's www in "
          + "\(configuration.path), as server.www.")
    }
  }

  /// The database and the key ring, both of which are there; throws with the remedy where one is not.
  func open(
    observer: (any WriteQueueObserver)? = nil
  ) throws -> (SQLiteDatabase, KeyRing) {
    switch try firstKeyStep() {
    case .create:
      throw Misuse(
        "There is no database (\(databasePath)) yet. \"polyclinic init\" makes it, and its key.")
    case .open:
      let ring = try KeyRing.load(at: configuration.vault.keyFile)
      return (try SQLiteDatabase.open(databasePath, observer: observer), ring)
    }
  }

  /// Makes key and database where both are missing; false when both are there already.
  func createIfMissing(at now: Instant) throws -> Bool {
    let installation = try assembly().installation()
    let first = FirstDatabase(path: databasePath, keyPath: configuration.vault.keyFile)
    try OpenFile.make(directory: FilePath.directory(of: databasePath))
    // Two that begin at once must not build one draft.
    let directory = try OpenFile(FilePath.directory(of: databasePath), O_RDONLY | O_DIRECTORY)
    return try directory.whileLocked {
      if first.isHalfInPlace {
        try first.finish()
        return true
      }
      guard try firstKeyStep() == .create else { return false }
      try first.make(for: installation, at: now)
      return true
    }
  }

  private func firstKeyStep() throws -> FirstKey.Step {
    try FirstKey.step(
      key: .init(of: configuration.vault.keyFile), at: configuration.vault.keyFile,
      database: .init(of: databasePath), at: databasePath)
  }

  /// Runs the migrations that have not run yet, and says which.
  func migrate(at now: Instant) throws -> [Migrator.Step] {
    let (database, ring) = try open()
    defer { database.close() }
    let steps = try Migrator(database, assembly().installation().migrations).migrate(at: now)
    // A key file of another database is found out here, before any worker is.
    _ = try database.read { try Vault.open(ring: ring, on: $0) }
    return steps
  }

  /// Stores an audit entry, where there is a database yet.
  func record(_ entry: AuditEntry) throws {
    guard access(databasePath, F_OK) == 0 else { return }
    let (database, _) = try open()
    defer { database.close() }
    try database.write { try entry.insert(on: $0) }
  }

  var instrumentFiles: Instruments.Files {
    Instruments.Files(
      runDirectory: runDirectory, database: databasePath,
      backups: BackupDirectory(configuration.backup.directory),
      backupEvery: configuration.backup.every, backupsKept: configuration.backup.keep)
  }

  /// What a command looks at the portal with: it counts for itself alone.
  func front() throws -> Front {
    let counters = try Counters()
    return try front(Instruments(counters, counters.claimLane(), instrumentFiles))
  }

  /// As ``front()``; throws ``CommandFailure`` where the schema is not the modules' yet.
  func migratedFront() throws -> Front {
    let (database, _) = try open()
    defer { database.close() }
    let pending = try Migrator(database, assembly().installation().migrations).pending()
    guard pending.isEmpty else {
      throw CommandFailure("The database's schema is not up to date. Run: polyclinic migrate")
    }
    return try front()
  }

  /// What a process of the portal counts with: together with all others, where the supervisor has made
  /// a file for that.
  func sharedInstruments() throws -> Instruments {
    let counters = try Counters.open(runDirectory.countersFile) ?? Counters()
    return Instruments(counters, counters.claimLane(), instrumentFiles)
  }

  /// What the threads of a process share.
  func front(_ instruments: Instruments) throws -> Front {
    let (database, ring) = try open(
      observer: WriteWaits(instruments.counters, instruments.lane))
    let assembly = assembly()
    return try assembly.front(
      try assembly.installation(), database: database, ring: ring, passwords: Passwords(),
      assets: Assets(directory: configuration.server.www), instruments: instruments,
      clock: { .current })
  }

  /// Fills a database in which nobody is with a fictional town.
  func demonstrate() throws {
    _ = try migrate(at: .current)
    try Demonstrator(front: front()).fill()
  }

  /// The job that makes this installation's backups.
  func backupJob(log: Logger) throws -> BackupJob {
    let (database, ring) = try open()
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    return BackupJob(
      backup: Backup(database: database, vault: vault),
      directory: BackupDirectory(configuration.backup.directory), settings: configuration.backup,
      log: log)
  }

  /// How old this installation's last good backup is.
  var backupAge: BackupAge {
    BackupAge(
      directory: BackupDirectory(configuration.backup.directory),
      every: configuration.backup.every)
  }

  /// The link by which the first administrator is made; nil when there is one.
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
