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
  let lastIDs: [String: Int64]

  /// Reads the facts. Throws `DatabaseError` if they cannot be read, which may be the reason for
  /// the restore.
  init(_ database: any StoredDatabase, on connection: Connection) throws {
    installation = try Vault.installation(on: connection) ?? []
    erasures = try ErasureLog.stored(on: connection)
    lastIDs = try database.lastIdentities(on: connection)
  }
}
