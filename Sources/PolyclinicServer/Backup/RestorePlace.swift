import PolyclinicCore
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault
import PolyclinicWeb

/// The place of the database that a restore fills.
protocol RestorePlace {
  /// Throws ``RestoreError`` if a database is there that this manner does not replace, and
  /// `DatabaseError` if that cannot be told.
  func requireRoom(for manner: Restore.Manner) throws

  /// Reads the database that is replaced, and makes it ready to be kept. Returns nils if there is
  /// none; the problem, if it cannot be read.
  func former() throws -> (FormerDatabase?, BackupFailure?)

  /// Puts a complete database, which is a file, in place. Returns the name under which the former
  /// one is kept; nil if there was none. Throws errors of files and databases, and then leaves the
  /// place as it was.
  func put(_ draft: String, at now: Instant) throws -> String?
}

/// A database file, which is moved aside.
struct FileRestorePlace: RestorePlace {
  let path: String
  let copies: DatabaseCopies

  func requireRoom(for manner: Restore.Manner) throws {
    if manner == .intoEmptyPlace, FirstKey.Presence(of: path) == .present {
      throw RestoreError.databaseThere(path: path)
    }
  }

  /// Reads the former database and merges its write-ahead log, so that it is one file.
  func former() throws -> (FormerDatabase?, BackupFailure?) {
    guard FilePath.exists(path) else { return (nil, nil) }
    do {
      let database = try SQLiteDatabase.open(path)
      defer { database.close() }
      let former = try database.read { try FormerDatabase(database, on: $0) }
      do { try database.checkpointTruncate(timeout: .short) } catch let error as DatabaseError
        where error.kind == .busy
      {
        throw RestoreError.inUse(path: path)
      }
      return (former, nil)
    } catch let error as DatabaseError {
      return (nil, BackupFailure(error))
    }
  }

  /// A crash after the key file was written is safe: the portal does not start with only one of key
  /// and database, and the command can be repeated.
  func put(_ draft: String, at now: Instant) throws -> String? {
    let hasFormer = FilePath.exists(path)
    let placement = DatabasePlacement(
      path: path, formerPath: unusedPath(copies.formerPath(at: now)))
    try placement.put(draft)
    return hasFormer ? placement.formerPath : nil
  }

  private func unusedPath(_ path: String) -> String {
    var candidate = path
    var number = 1
    while FilePath.exists(candidate) || FilePath.exists(candidate + "-wal") {
      number += 1
      candidate = "\(path)-\(number)"
    }
    return candidate
  }
}
