import FoundationEssentials
import Glibc
import Logging
import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// A backup's database under a temporary name, until it has passed all checks. Its file is locked
/// until the end of this value's lifetime.
package struct RestoredDraft: ~Copyable {
  let path: String
  private let kind: DatabaseCopies.Draft
  private let copies: DatabaseCopies
  private let installation: Installation
  private let ring: KeyRing
  private let file: OpenFile

  /// Creates an empty file beside the database. Throws ``SystemError``.
  init(
    _ kind: DatabaseCopies.Draft, in files: InstallationFiles, installation: Installation,
    ring: KeyRing
  ) throws(SystemError) {
    copies = files.copies
    path = copies.path(of: kind)
    file = try copies.create(kind)
    self.kind = kind
    self.installation = installation
    self.ring = ring
  }

  /// The result of the preparation, for the administrator.
  package struct Outcome {
    var manifest: BackupManifest
    var migrated: [Migrator.Step] = []
    /// The backup's migrations that this release does not know.
    var unknown: [BackupManifest.Step] = []
    /// The number of people who were erased again.
    var erased = 0
    /// People with a sealed value that does not open, because it was damaged before the backup was
    /// made.
    var unreadable: [ID<Person>] = []
    /// The erasure ids of all people who are known to have been erased.
    var erasures: [[UInt8]] = []
  }

  /// Writes the backup's database and prepares it for use:
  ///
  /// - it is checked for damage and migrated to this release;
  /// - people who were erased since are erased again, and all sessions are ended;
  /// - it is closed and in one file on return.
  ///
  /// Throws ``BackupError``, ``RestoreError`` and errors of the database.
  func make(
    from backup: borrowing BackupReader, former: FormerDatabase?, erasures: [[UInt8]],
    at now: Instant
  ) throws -> Outcome {
    let (database, manifest) = try open(backup)
    defer { database.close() }
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    var outcome = Outcome(manifest: manifest)
    outcome.unknown = manifest.steps(unknownTo: installation)
    outcome.migrated = try Migrator(database, installation.migrations).migrate(at: now)
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
    outcome.unreadable = try openSample(database, installation, vault)
    try database.removeDeletedBytes(timeout: .long)
    database.close()
    removeSidecars()
    return outcome
  }

  /// Writes the backup's database and opens it after checking it against the manifest.
  func open(
    _ backup: borrowing BackupReader
  ) throws -> (database: SQLiteDatabase, manifest: BackupManifest) {
    let manifest = try backup.read { try file.write($0) }
    try file.synchronize()
    let database = try SQLiteDatabase.open(path)
    do { try prove(database, holds: manifest) } catch {
      database.close()
      throw error
    }
    return (database, manifest)
  }

  /// Removes the file and its companions.
  func remove() {
    do throws(SystemError) { try copies.remove(kind) } catch {
      Logger(label: "restore").warning("a draft stays", metadata: ["reason": "\(error)"])
    }
  }

  private func prove(_ database: SQLiteDatabase, holds manifest: BackupManifest) throws {
    let problems = try database.integrityProblems()
    guard problems.isEmpty else { throw RestoreError.damaged(problems: problems) }
    let rows = try database.read { try BackupManifest.rowCounts(on: $0) }
    for table in Set(rows.keys).union(manifest.rows.keys).sorted() {
      let (expected, found) = (manifest.rows[table] ?? 0, rows[table] ?? 0)
      guard expected == found else {
        throw RestoreError.counts(table: table, expected: expected, found: found)
      }
    }
  }

  /// Ends everything that the backup would bring back to life:
  ///
  /// - sessions, links, trusted browsers, tokens and secret addresses that were ended or revoked
  ///   since;
  /// - sign-ins by a repeated form;
  /// - e-mails, because those sent since would be sent twice;
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
    try connection.run("DELETE FROM notifications_mail")
    try connection.run("UPDATE answered_forms SET signed_in = NULL")
  }

  /// The gap if the ids used since the backup are unknown: more than a clinic uses in months.
  private static let skippedIDs = 1_000_000

  /// Skips the ids used since the backup. They are in browsers' histories, open forms, calendars
  /// and exports, and must never mean another record.
  private func skipIDs(since former: FormerDatabase?, on connection: Connection) throws {
    let last = try FormerDatabase.lastIDs(on: connection)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
    ) { $0.string(0) }
    for table in tables {
      let own = last[table] ?? 0
      let next = former.map { max($0.lastIDs[table] ?? 0, own) } ?? own + Self.skippedIDs
      if try connection.run("UPDATE sqlite_sequence SET seq = \(next) WHERE name = \(table)") == 0 {
        try connection.run("INSERT INTO sqlite_sequence (name, seq) VALUES (\(table), \(next))")
      }
    }
  }

  /// Opens all sealed values of some people, the first and the latest. Returns those with a value
  /// that does not open, because damage to one person's data is no reason to reject the rest.
  ///
  /// Throws ``RestoreError/sealedDataDoesNotOpen`` if it fails for all of them.
  private func openSample(
    _ database: SQLiteDatabase, _ installation: Installation, _ vault: Vault
  ) throws -> [ID<Person>] {
    try database.read { connection in
      let people: [ID<Person>] = try connection.rows(
        """
        SELECT id_person FROM (SELECT id_person FROM people ORDER BY id_person LIMIT 10)
        UNION SELECT id_person FROM (SELECT id_person FROM people ORDER BY id_person DESC LIMIT 10)
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

  private func removeSidecars() {
    for suffix in SQLiteDatabase.companions { unlink(path + suffix) }
  }
}
