import PolyclinicCore
import PolyclinicStore

/// What a database that is to be replaced knows and a backup of earlier does not.
struct FormerDatabase {
  /// Whose database it is.
  let installation: [UInt8]
  /// Who was erased.
  let erasures: [[UInt8]]
  /// The last id that each table has given, so that none is given a second time.
  let lastIDs: [String: Int]

  /// Reads it, and leaves it as one file.
  ///
  /// Throws ``RestoreError/inUse(path:)`` where somebody has it open, and `DatabaseError` where it
  /// cannot be read, which may be why a backup is restored.
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
    do { try database.checkpointTruncate(patience: .short) } catch let error as DatabaseError
      where error.kind == .busy
    {
      throw RestoreError.inUse(path: path)
    }
  }

  /// By table, as SQLite keeps them for AUTOINCREMENT.
  static func lastIDs(on connection: Connection) throws -> [String: Int] {
    let pairs = try connection.rows("SELECT name, seq FROM sqlite_sequence") {
      ($0.string(0), $0.int(1))
    }
    return Dictionary(pairs, uniquingKeysWith: max)
  }
}
