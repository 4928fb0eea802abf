import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicVault

/// Facts of the database to be replaced that an older backup lacks.
struct FormerDatabase {
  /// The id of the installation that the database belongs to.
  let installation: [UInt8]
  /// The erasure ids of erased people.
  let erasures: [[UInt8]]
  /// The last id used in each table, so that no id is used twice.
  let lastIDs: [String: Int]

  /// Reads the facts and merges the write-ahead log, so that the database is one file.
  ///
  /// Throws ``RestoreError/inUse(path:)`` if another program has it open. Throws `DatabaseError` if
  /// it cannot be read, which may be the reason for the restore.
  init(at path: String) throws {
    let database = try SQLiteDatabase.open(path)
    defer { database.close() }
    (installation, erasures, lastIDs) = try database.read { connection in
      (
        try Vault.installation(on: connection) ?? [],
        try ErasureLog.stored(on: connection),
        try Self.lastIDs(on: connection)
      )
    }
    do { try database.checkpointTruncate(timeout: .short) } catch let error as DatabaseError
      where error.kind == .busy
    {
      throw RestoreError.inUse(path: path)
    }
  }

  /// Returns the last id of each table, as SQLite keeps it for AUTOINCREMENT.
  static func lastIDs(on connection: Connection) throws -> [String: Int] {
    let pairs = try connection.rows("SELECT name, seq FROM sqlite_sequence") {
      ($0.string(0), $0.int(1))
    }
    return Dictionary(pairs, uniquingKeysWith: max)
  }
}
