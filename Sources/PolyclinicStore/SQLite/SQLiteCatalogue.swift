import PolyclinicCore

extension SQLiteDatabase {
  public func tables(on connection: Connection) throws -> [StoredTable] {
    let tables = try connection.rows(
      """
      SELECT name, sql LIKE '%AUTOINCREMENT%' FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name
      """
    ) { (name: $0.string(0), countsUp: $0.bool(1)) }
    return try tables.map { table in
      let columns = try connection.rows(
        "SELECT name, type, pk FROM pragma_table_info(\(table.name)) ORDER BY cid"
      ) { (name: $0.string(0), type: $0.string(1), keyPlace: $0.int(2)) }
      let key = columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
      return StoredTable(
        name: table.name,
        columns: try columns.map { .init(name: $0.name, type: try Self.type(named: $0.type)) },
        key: key.map(\.name), identity: table.countsUp ? key.first?.name : nil,
        references: try references(of: table.name, on: connection))
    }
  }

  public func lastIdentities(on connection: Connection) throws -> [String: Int64] {
    let pairs = try connection.rows("SELECT name, seq FROM sqlite_sequence") { row in
      (row.string(0), row.value(1) ?? Int64(0))
    }
    return Dictionary(pairs, uniquingKeysWith: max)
  }

  public func raiseIdentities(_ least: [String: Int64], on connection: Connection) throws {
    let present = try lastIdentities(on: connection)
    for (table, number) in least where number > present[table] ?? 0 {
      try connection.run("DELETE FROM sqlite_sequence WHERE name = \(table)")
      try connection.run("INSERT INTO sqlite_sequence (name, seq) VALUES (\(table), \(number))")
    }
  }

  private static func type(named name: String) throws -> StoredTable.ValueType {
    switch name {
    case "INTEGER": .integer
    case "REAL": .real
    case "TEXT": .text
    case "BLOB": .bytes
    default: throw DatabaseError.misuse("a column of the type \(name)")
    }
  }

  private func references(
    of table: String, on connection: Connection
  ) throws -> [StoredTable.Reference] {
    try connection.rows(
      """
      SELECT "from", "table", "to", on_delete = 'CASCADE' FROM pragma_foreign_key_list(\(table))
      WHERE id IN (
        SELECT id FROM pragma_foreign_key_list(\(table)) GROUP BY id HAVING count(*) = 1)
      ORDER BY id
      """
    ) { .init(column: $0.string(0), table: $0.string(1), key: $0.string(2), cascades: $0.bool(3)) }
  }
}
