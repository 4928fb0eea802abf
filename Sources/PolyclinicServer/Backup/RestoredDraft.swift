import FoundationEssentials
import Glibc
import PolyclinicCore
import PolyclinicStore

/// A backup's database on its way: beside its place under another name, until all is proved.
struct RestoredDraft {
  let path: String
  let assembly: Assembly
  let ring: KeyRing

  /// What was done to it, for whoever restores.
  struct Outcome {
    var manifest: BackupManifest
    var migrated: [Migrator.Step] = []
    /// Migrations of the backup that this release does not know.
    var unknown: [BackupManifest.Step] = []
    /// How many people were forgotten again.
    var erased = 0
    /// People with something sealed that does not open: damaged before the backup was made.
    var unreadable: [ID<Person>] = []
    /// The erasure ids of all people who were ever erased, as far as anybody knows.
    var erasures: [[UInt8]] = []
  }

  /// Writes the backup's database and makes it what can be served: unharmed, of this release, without
  /// whom was erased, and with nobody signed in. Closed and in one file on return.
  ///
  /// Throws ``BackupError``, ``RestoreError`` and what the database throws.
  func make(
    from backup: borrowing BackupReader, former: FormerDatabase?, erasures: [[UInt8]],
    at now: Instant
  ) throws -> Outcome {
    let installation = try assembly.installation()
    let (database, manifest) = try open(backup)
    defer { database.close() }
    let vault = try database.read { try Vault.open(ring: ring, on: $0) }
    var outcome = Outcome(manifest: manifest)
    outcome.unknown = manifest.steps(unknownTo: installation)
    outcome.migrated = try Migrator(database, installation.migrations).migrate(at: now)
    let administrator = Administrator(vault: vault, author: .commandLine, now: now)
    (outcome.erased, outcome.erasures) = try database.write { connection in
      let erased = try Set((former?.erasures ?? []) + erasures).count {
        try administrator.repeatErasure($0, on: connection)
      }
      try endVisits(on: connection)
      // New people get keys wrapped by the newest master key: a sheet without it must not pass for complete.
      _ = try vault.wrapLookupKey(by: ring, on: connection)
      // Another installation's ids say nothing of those that this one has given.
      let earlier = former.flatMap { $0.installation == vault.installation ? $0 : nil }
      try skipIDs(since: earlier, on: connection)
      return (erased, try ErasureLog.stored(on: connection))
    }
    outcome.unreadable = try openSample(database, installation, vault)
    try database.checkpointTruncate()
    database.close()
    removeSidecars()
    return outcome
  }

  /// Writes the backup's database, and opens it when it is proved to be what was backed up.
  func open(
    _ backup: borrowing BackupReader
  ) throws -> (database: SQLiteDatabase, manifest: BackupManifest) {
    remove()
    let manifest = try write(backup)
    let database = try SQLiteDatabase.open(path)
    do { try prove(database, holds: manifest) } catch {
      database.close()
      throw error
    }
    return (database, manifest)
  }

  /// Leaves nothing behind.
  func remove() {
    unlink(path)
    removeSidecars()
  }

  private func write(_ backup: borrowing BackupReader) throws -> BackupManifest {
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    let manifest = try backup.read { try file.write($0) }
    try file.synchronize()
    return manifest
  }

  private func prove(_ database: SQLiteDatabase, holds manifest: BackupManifest) throws {
    let problems = try database.integrityCheck()
    guard problems.isEmpty else { throw RestoreError.damaged(problems: problems) }
    let rows = try database.read { try BackupManifest.rowCounts(on: $0) }
    for table in Set(rows.keys).union(manifest.rows.keys).sorted() {
      let (expected, found) = (manifest.rows[table] ?? 0, rows[table] ?? 0)
      guard expected == found else {
        throw RestoreError.counts(table: table, expected: expected, found: found)
      }
    }
  }

  /// A session that was ended since, a link that was used, a token or an address that was revoked, and a
  /// form that signed somebody in would work again; an e-mail that has gone out since would go out twice.
  /// What forms led to stays known: the same one sent again is still one record.
  private func endVisits(on connection: Connection) throws {
    try connection.run("DELETE FROM sessions")
    try connection.run("DELETE FROM setup_links")
    try connection.run("DELETE FROM password_links")
    try connection.run("DELETE FROM api_tokens")
    try connection.run("DELETE FROM secret_addresses")
    try connection.run("DELETE FROM notifications_links")
    try connection.run("DELETE FROM notifications_mail")
    try connection.run("UPDATE answered_forms SET signed_in = NULL")
  }

  /// Where nobody knows how many ids were given since the backup: more than a clinic gives in months.
  private static let skippedIDs = 1_000_000

  /// Ids that were given since the backup stand in browsers' histories, open forms, calendars and
  /// exports: they must never mean another record.
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

  /// Opens all that is sealed about some people, the first and the latest, and returns those with
  /// something that does not open. Damage to one is no reason to do without all others; throws
  /// ``RestoreError/sealedDataDoesNotOpen`` where nobody's opens.
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
          guard let keys = try KeyCabinet(vault).keys(of: person, on: connection) else {
            return false
          }
          for member in installation.members {
            try member.module.personalData.openAll(by: keys, on: connection)
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
