import Logging
import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// A SQLite database with a backup's rows under a temporary name, until it has passed all checks.
/// Its file is locked until the end of this value's lifetime.
struct RestoredDraft: ~Copyable {
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

  /// Writes the backup's rows and prepares them for use. The database is closed and in one file on
  /// return.
  ///
  /// Throws ``BackupError``, ``RestoreError`` and errors of the database.
  func make(
    from backup: borrowing BackupReader, former: FormerDatabase?, erasures: [[UInt8]],
    at now: Instant
  ) throws -> RestoredDatabase.Outcome {
    let database = try SQLiteDatabase.create(inEmptyFile: path)
    defer { database.close() }
    let restored = restored(in: database, at: now)
    let leftOut = try restored.fill(from: backup)
    var outcome = try restored.prepare(backup.manifest(), former: former, erasures: erasures)
    outcome.leftOut = leftOut
    try database.removeDeletedBytes(for: .command)
    try database.closeAsOneFile()
    return outcome
  }

  /// Writes the backup's rows, and returns the open database.
  func open(_ backup: borrowing BackupReader, at now: Instant) throws -> any StoredDatabase {
    let database = try SQLiteDatabase.create(inEmptyFile: path)
    do { _ = try restored(in: database, at: now).fill(from: backup) } catch {
      database.close()
      throw error
    }
    return database
  }

  private func restored(in database: SQLiteDatabase, at now: Instant) -> RestoredDatabase {
    RestoredDatabase(database: database, installation: installation, ring: ring, now: now)
  }

  /// Removes the file and its companions.
  func remove() {
    do throws(SystemError) { try copies.remove(kind) } catch {
      Logger(label: "restore").warning("a draft stays", metadata: ["reason": "\(error)"])
    }
  }
}
