import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// Restores one person's records from a backup into the current database, even while the portal
/// runs.
///
/// - One transaction writes all of it, and only rows of that person.
/// - ``Recovery`` defines the records that are restored.
/// - Appointments with doctors, the account with its profile and settings, messages and logs stay
///   unchanged. Other people rely on them, or they record their own time.
package struct PersonRestore {
  let files: InstallationFiles
  let keyFile: String
  let installation: Installation
  /// Opens the current database and the key ring.
  let open: () throws -> (any StoredDatabase, KeyRing)
  let backupPath: String
  let login: String

  /// The records that were restored, or would be.
  package struct Outcome {
    var manifest: BackupManifest
    var counts: [(name: String, count: Recovery.Count)]
  }

  /// Restores or counts the records. Throws ``PersonRestoreError``, ``BackupError``,
  /// ``RestoreError``, ``KeyRingError``, ``SystemError`` and errors of the database, and then
  /// changes nothing.
  func run(_ manner: Recovery.Manner, at now: Instant) throws -> Outcome {
    let (database, ring) = try open()
    defer { database.close() }
    guard try Migrator(database, installation.migrations).pending().isEmpty else {
      throw PersonRestoreError.notMigrated
    }
    do {
      return try KeyRing.whileLocked(at: keyFile) {
        try withBackup(ring, at: now) { backup, manifest in
          try Outcome(
            manifest: manifest,
            counts: bringBack(
              from: backup, into: database, ring, manner, manifest, at: now))
        }
      }
    } catch let error as SystemError where error.code == EWOULDBLOCK {
      throw PersonRestoreError.underWay
    }
  }

  /// Runs `body` with the backup's database, migrated to this release in a temporary file beside
  /// the current one. Removes the file afterwards.
  private func withBackup<Value>(
    _ ring: KeyRing, at now: Instant,
    _ body: (any StoredDatabase, BackupManifest) throws -> Value
  ) throws -> Value {
    let reader = try reader(ring)
    let manifest = try reader.manifest()
    let draft = try RestoredDraft(.person, in: files, installation: installation, ring: ring)
    defer { draft.remove() }
    let backup: any StoredDatabase
    do { backup = try draft.open(reader, at: now) } catch RestoreError.unknownMigrations(let steps)
    {
      throw PersonRestoreError.newerRelease(migration: steps.joined(separator: ", "))
    }
    defer { backup.close() }
    _ = try Migrator(backup, installation.migrations).migrate(at: now)
    return try body(backup, manifest)
  }

  private func reader(_ ring: KeyRing) throws -> BackupReader {
    do { return try BackupReader(backupPath, ring: ring) } catch BackupError.unknownKey(
      let id, let path, let ring)
    {
      throw PersonRestoreError.unknownKey(id, path: path, ring: ring)
    }
  }

  private func bringBack(
    from backup: any StoredDatabase, into database: any StoredDatabase, _ ring: KeyRing,
    _ manner: Recovery.Manner, _ manifest: BackupManifest, at now: Instant
  ) throws -> [(name: String, count: Recovery.Count)] {
    let erased = try loggedErasures()
    func run(_ connection: Connection) throws -> [(name: String, count: Recovery.Count)] {
      try backup.read { old in
        let (then, today) = try sides(ring, old, Work(at: now, on: connection), erased, manifest)
        let counts = try installation.members.flatMap(\.module.recoveries).map {
          ($0.name, try $0.run(then, today, manner))
        }
        if manner == .store, counts.contains(where: { $0.1.returning > 0 }) {
          try record(in: today)
        }
        return counts
      }
    }
    do {
      switch manner {
      case .count: return try database.read(run)
      case .store: return try database.write(run)
      }
    } catch Refusal.conflict {
      throw PersonRestoreError.noRoom
    }
  }

  /// Adds an entry to the person's access log and to the audit, where changes to the account by
  /// others are shown.
  private func record(in work: Work) throws {
    try AccessLog.record(
      Text("access.brought-back").spoken(by: "account"), by: nil, for: .administration, in: work)
    try AuditEntry(.bringBack, by: .commandLine, at: work.now, subject: work.keys.person)
      .insert(on: work)
  }

  /// Returns the erasure ids logged by this installation and beside the backup.
  private func loggedErasures() throws -> Set<[UInt8]> {
    let directories = [
      files.backups.path, FilePath.directory(of: backupPath),
    ]
    return Set(try Set(directories).flatMap { try ErasureLog(directory: $0).ids() })
  }
}

/// The lookup of the person in both databases.
extension PersonRestore {
  /// Returns the work on the person's data in the backup and in the current database.
  private func sides(
    _ ring: KeyRing, _ old: Connection, _ current: Work, _ logged: Set<[UInt8]>,
    _ manifest: BackupManifest
  ) throws -> (backup: Work, current: Work) {
    let (oldVault, vault) = (
      try Vault.open(ring: ring, on: old), try Vault.open(ring: ring, on: current)
    )
    guard oldVault.installation == vault.installation else {
      throw PersonRestoreError.anotherPortal(path: backupPath)
    }
    let erased = try logged.union(ErasureLog.stored(on: current))
    guard !login.contains("@"), let account = try Account.find(login, vault, on: current) else {
      throw try absence(oldVault, old, current, erased)
    }
    let person = account.person
    let erasureID = try erasureID(of: person, on: current)
    if let erasureID, erased.contains(erasureID) { throw PersonRestoreError.erased }
    // The same number is not enough: the person is the same if the erasure id matches.
    guard try self.erasureID(of: person, on: old) == erasureID,
      let then = try KeyStore(oldVault).unloggedKeys(of: person, on: old),
      let today = try KeyStore(vault).unloggedKeys(of: person, on: current)
    else { throw PersonRestoreError.notInBackup(at: Instant(manifest.time)) }
    return (
      Work(keys: then, at: current.now, on: old), current.with(today)
    )
  }

  /// Returns the error for a login that does not exist now, using the backup to find the reason.
  private func absence(
    _ oldVault: Vault, _ old: Connection, _ connection: Connection, _ erased: Set<[UInt8]>
  ) throws -> PersonRestoreError {
    guard !login.contains("@"), let then = try Account.find(login, oldVault, on: old),
      let erasureID = try erasureID(of: then.person, on: old)
    else { return .unknownLogin }
    if erased.contains(erasureID) { return .erased }
    return try self.erasureID(of: then.person, on: connection) == erasureID
      ? .renamed(then.person) : .unknownLogin
  }

  private func erasureID(of person: ID<Person>, on connection: Connection) throws -> [UInt8]? {
    try connection.row("SELECT erasure_id FROM people WHERE id_person = \(person)") {
      $0.bytes(0)
    }
  }
}
