import PolyclinicCore
import PolyclinicStore
import PolyclinicVault

/// Makes backups of one database. ``BackupHeader`` describes the file format.
struct Backup {
  let database: any StoredDatabase
  let vault: Vault

  /// Writes a backup. The file gets its name when it is complete and on the disk. Throws
  /// ``BackupError``, ``SystemError`` or `DatabaseError`, and then leaves no file.
  ///
  /// The rows pass through memory one by one, and are on the disk only as ciphertext.
  @discardableResult
  func write(to path: String, at now: Instant) throws -> BackupManifest {
    try database.snapshot { connection in
      // Reads the key id from the copied state, so that one recovery sheet opens both the file and
      // the data in it.
      let key = try vault.currentRing(on: connection).newest
      let tables = StoredTable.inReferenceOrder(try database.tables(on: connection))
      let manifest = try BackupManifest(at: now, key: key.id, tables, of: database, on: connection)
      let file = try BackupWriter(path, key, at: now)
      do {
        try file.write(manifest)
        for table in tables {
          let types = table.columns.map(\.type)
          try table.forEachRow(on: connection) { try file.write($0, types) }
          try file.endTable()
        }
        try file.complete()
      } catch {
        file.discard()
        throw error
      }
      return manifest
    }
  }
}
