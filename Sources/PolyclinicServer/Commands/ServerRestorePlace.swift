import PolyclinicCore
import PolyclinicStore
import PolyclinicVault
import PolyclinicWeb

/// An empty database of a server, which gets all rows in one transaction. An existing database is
/// never replaced, because nothing would keep it.
struct ServerRestorePlace: RestorePlace {
  let address: PostgreSQLAddress
  let installation: Installation

  func requireRoom(for manner: Restore.Manner) throws {
    guard try FirstServerDatabase.presence(at: address) == .absent else {
      throw RestoreError.serverDatabaseThere(name: "\(address)")
    }
  }

  func former() throws -> (FormerDatabase?, BackupFailure?) { (nil, nil) }

  func put(_ draft: String, at now: Instant) throws -> String? {
    let database = try FirstServerDatabase.prepared(at: address)
    defer { database.close() }
    try Migrator(database, installation.migrations).migrate(at: now)
    let draft = try SQLiteDatabase.open(draft)
    defer { draft.close() }
    try draft.read { source in
      let tables = StoredTable.inReferenceOrder(try draft.tables(on: source))
      try database.filling { connection in
        // Again in this transaction, because another machine may have filled it meanwhile.
        guard try Vault.installation(on: connection) == nil else {
          throw RestoreError.serverDatabaseThere(name: "\(address)")
        }
        // Migrations have written rows, which the draft has, too.
        for table in tables.reversed() {
          try connection.run("DELETE FROM \(schemaName: table.name)")
        }
        for table in tables { try Self.copy(table, from: source, to: connection) }
        try database.raiseIdentities(try draft.lastIdentities(on: source), on: connection)
        try requireAll(of: draft.rowCounts(on: source), database.rowCounts(on: connection))
      }
    }
    return nil
  }

  private static func copy(
    _ table: StoredTable, from source: Connection, to connection: Connection
  ) throws {
    var insertion = RowInsertion(into: table.name, table.columns.map(\.name), on: connection)
    try table.forEachRow(on: source) { try insertion.add(table.values(of: $0)) }
    try insertion.finish()
  }

  private func requireAll(of expected: [String: Int], _ found: [String: Int]) throws {
    for (table, count) in expected.sorted(by: { $0.key < $1.key })
    where found[table] ?? 0 != count {
      throw RestoreError.counts(table: table, expected: count, found: found[table] ?? 0)
    }
  }
}
