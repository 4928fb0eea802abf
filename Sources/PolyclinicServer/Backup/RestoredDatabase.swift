import FoundationEssentials
import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicVault
import PolyclinicWeb

/// A new database, of any engine, that takes the rows of a backup.
///
/// 1. ``fill(from:at:)`` writes the rows and compares them with the manifest.
/// 2. ``prepare(_:former:erasures:)`` makes the database ready to serve.
package struct RestoredDatabase {
  let database: any StoredDatabase
  let installation: Installation
  let ring: KeyRing
  /// The time of the restore.
  let now: Instant

  private var migrator: Migrator { Migrator(database, installation.migrations) }

  /// The result of the preparation, for the administrator.
  package struct Outcome {
    var manifest: BackupManifest
    var migrated: [Migrator.Step] = []
    /// The backup's tables that no migration makes, and their rows, which were not restored.
    var leftOut: [String: Int] = [:]
    /// The number of people who were erased again.
    var erased = 0
    /// People with a sealed value that does not open, because it was damaged before the backup was
    /// made.
    var unreadable: [ID<Person>] = []
    /// The erasure ids of all people who are known to have been erased.
    var erasures: [[UInt8]] = []
  }

  /// Creates the schema as the backup had it, writes the rows, and compares them with the manifest.
  ///
  /// Returns the tables that no migration makes, with the number of their rows, which are left out.
  /// Throws ``BackupError``, ``RestoreError``, `MigrationError` and errors of the database, which
  /// then has no rows of the backup.
  func fill(from backup: borrowing BackupReader) throws -> [String: Int] {
    let manifest = try backup.manifest()
    _ = try migrator.pending(after: manifest.applied)
    let unknown = manifest.steps(unknownTo: installation)
    guard unknown.isEmpty else { throw RestoreError.unknownMigrations(unknown.map(\.description)) }
    try migrator.migrate(as: manifest.applied, at: now)
    let known = try database.read { try database.tables(on: $0) }
    try database.filling { connection in
      // The backup has the rows that migrations wrote, too, with their later changes.
      for table in StoredTable.inReferenceOrder(known).reversed() {
        try connection.run("DELETE FROM \(schemaName: table.name)")
      }
      var rows = RestoredRows(of: manifest, into: known, on: connection)
      try backup.read { try rows.add($0) }
      try rows.finish()
      let names = Set(known.map(\.name))
      try database.raiseIdentities(
        manifest.lastIDs.filter { names.contains($0.key) }, on: connection)
    }
    return try prove(manifest, known)
  }

  private func prove(
    _ manifest: BackupManifest, _ known: [StoredTable]
  ) throws -> [String: Int] {
    let problems = try database.integrityProblems()
    guard problems.isEmpty else { throw RestoreError.damaged(problems: problems) }
    let found = try database.read { try database.rowCounts(on: $0) }
    let names = Set(known.map(\.name))
    for table in names.sorted() {
      let (expected, found) = (manifest.rows[table] ?? 0, found[table] ?? 0)
      guard expected == found else {
        throw RestoreError.counts(table: table, expected: expected, found: found)
      }
    }
    return manifest.rows.filter { !names.contains($0.key) }
  }

  /// Makes the filled database ready to serve:
  ///
  /// - it is migrated to this release;
  /// - people who were erased since are erased again, and all sessions are ended.
  ///
  /// Throws ``RestoreError`` and errors of the database.
  func prepare(
    _ manifest: BackupManifest, former: FormerDatabase?, erasures: [[UInt8]]
  ) throws -> Outcome {
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    var outcome = Outcome(manifest: manifest)
    outcome.migrated = try migrator.migrate(at: now)
    var administrator = Administrator(vault: vault, author: .commandLine, now: now)
    (outcome.erased, outcome.erasures) = try database.write { connection in
      let erased = try Set((former?.erasures ?? []) + erasures).count {
        try administrator.repeatErasure(
          $0, asOf: Instant(manifest.time), in: installation, on: connection)
      }
      try endVisits(on: connection)
      // Wraps the lookup key with the newest master key, which also wraps the keys of new people. A
      // sheet without that key then counts as incomplete.
      _ = try vault.wrapLookupKey(by: ring, on: connection)
      // The ids of another installation say nothing about the ids used in this one.
      let earlier = former.flatMap { $0.installation == vault.installation ? $0 : nil }
      try skipIDs(since: earlier, on: connection)
      return (erased, try ErasureLog.stored(on: connection))
    }
    outcome.unreadable = try openSample(vault)
    return outcome
  }

  /// Ends everything that the backup would bring back to life:
  ///
  /// - sessions, links, trusted browsers, tokens and secret addresses that were ended or revoked
  ///   since;
  /// - sign-ins by a repeated form;
  /// - e-mails, because those sent since would be sent twice;
  /// - machines, with the backups that they made;
  /// - requests for a forgotten password, because they hold the words of people who may be erased.
  ///
  /// The results of answered forms stay, so that a repeated form still makes only one record.
  private func endVisits(on connection: Connection) throws {
    try connection.run("DELETE FROM sessions")
    try connection.run("DELETE FROM setup_links")
    try connection.run("DELETE FROM password_links")
    try ForgottenPassword.forgetAll(on: connection)
    try connection.run("DELETE FROM trusted_browsers")
    try connection.run("DELETE FROM home_offline_browsers")
    try connection.run("DELETE FROM api_tokens")
    try connection.run("DELETE FROM secret_addresses")
    try connection.run("DELETE FROM notifications_links")
    try connection.run("DELETE FROM machines")
    try connection.run("DELETE FROM notifications_codes")
    try connection.run("DELETE FROM notifications_outbox")
    try connection.run("UPDATE answered_forms SET signed_in = NULL")
  }

  /// The gap if the ids used since the backup are unknown: more than a clinic uses in months.
  private static let skippedIDs: Int64 = 1_000_000

  /// Skips the ids used since the backup. They are in browsers' histories, open forms, calendars
  /// and exports, and must never mean another record.
  private func skipIDs(since former: FormerDatabase?, on connection: Connection) throws {
    let last = try database.lastIdentities(on: connection)
    let tables = try database.tables(on: connection).filter { $0.identity != nil }.map(\.name)
    let least = tables.map { table in
      let own = last[table] ?? 0
      return (table, former.map { max($0.lastIDs[table] ?? 0, own) } ?? own + Self.skippedIDs)
    }
    try database.raiseIdentities(Dictionary(least, uniquingKeysWith: max), on: connection)
  }

  /// Opens all sealed values of some people, the first and the latest. Returns those with a value
  /// that does not open, because damage to one person's data is no reason to reject the rest.
  ///
  /// Throws ``RestoreError/sealedDataDoesNotOpen`` if it fails for all of them.
  private func openSample(_ vault: Vault) throws -> [ID<Person>] {
    try database.read { connection in
      let people: [ID<Person>] = try connection.rows(
        """
        SELECT id_person FROM (SELECT id_person FROM people ORDER BY id_person LIMIT 10) AS first
        UNION SELECT id_person
        FROM (SELECT id_person FROM people ORDER BY id_person DESC LIMIT 10) AS latest
        """
      ) { $0.id(0) }
      let unreadable = try people.filter { person in
        do {
          guard let keys = try KeyStore(vault).unloggedKeys(of: person, on: connection) else {
            return false
          }
          for member in installation.members {
            try member.module.personalData.openAll(
              in: Work(keys: keys, at: .current, on: connection))
          }
          return false
        } catch is UnsealingError { return true }
      }
      if !people.isEmpty, unreadable.count == people.count {
        throw RestoreError.sealedDataDoesNotOpen
      }
      return unreadable
    }
  }
}
