import PolyclinicCore

extension PostgreSQLDatabase {
  public func tables(on connection: Connection) throws -> [StoredTable] {
    let columns = try connection.rows(
      """
      SELECT c.relname, a.attname, t.typname, a.attidentity <> ''
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_type t ON t.oid = a.atttypid
      WHERE c.relnamespace = CAST('public' AS regnamespace) AND c.relkind = 'r'
      ORDER BY c.relname, a.attnum
      """
    ) { row in
      (
        table: row.string(0), isIdentity: row.bool(3),
        column: StoredTable.Column(name: row.string(1), type: try Self.type(named: row.string(2)))
      )
    }
    let keys = try keys(on: connection)
    let references = try references(on: connection)
    let tables = Dictionary(grouping: columns, by: \.table)
    // The engine's own table has no columns.
    return tables.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      name, columns in
      StoredTable(
        name: name, columns: columns.map(\.column), key: keys[name] ?? [],
        identity: columns.first(where: \.isIdentity)?.column.name,
        references: references[name] ?? [])
    }
  }

  /// Returns the highest number that was assigned in each table with an identity, by the table's
  /// name. Leaves out tables in which none was. Throws ``DatabaseError``.
  public func lastIdentities(on connection: Connection) throws -> [String: Int64] {
    let pairs = try connection.rows(
      """
      SELECT c.relname, pg_sequence_last_value(CAST(
        pg_get_serial_sequence(CAST(CAST(c.oid AS regclass) AS TEXT), a.attname) AS regclass))
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE a.attidentity <> '' AND c.relnamespace = CAST('public' AS regnamespace)
      """
    ) { (table: $0.string(0), last: $0.optional(1, Row.int)) }
    return pairs.reduce(into: [:]) { numbers, pair in
      numbers[pair.table] = pair.last.map(Int64.init)
    }
  }

  /// Has the server assign only higher numbers than these, by the table's name. Never lowers one.
  /// Throws ``DatabaseError``.
  public func raiseIdentities(_ least: [String: Int64], on connection: Connection) throws {
    let present = try lastIdentities(on: connection)
    for (table, number) in least where number > present[table] ?? 0 {
      try connection.run(
        """
        SELECT setval(pg_get_serial_sequence(quote_ident(\(table)), a.attname), \(number))
        FROM pg_attribute a
        WHERE a.attrelid = to_regclass(quote_ident(\(table))) AND a.attidentity <> ''
        """)
    }
    self.connection.forgetNumbers()
  }

  private static func type(named name: String) throws -> StoredTable.ValueType {
    switch name {
    case "int8", "int4", "int2", "bool": .integer
    case "float8", "float4": .real
    case "text", "varchar": .text
    case "bytea": .bytes
    default: throw DatabaseError.misuse("a column of the type \(name)")
    }
  }

  private func keys(on connection: Connection) throws -> [String: [String]] {
    let columns = try connection.rows(
      """
      SELECT c.relname, a.attname
      FROM pg_constraint k
      JOIN pg_class c ON c.oid = k.conrelid
      CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS part (attnum, place)
      JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = part.attnum
      WHERE k.contype = 'p' AND c.relnamespace = CAST('public' AS regnamespace)
      ORDER BY c.relname, part.place
      """
    ) { (table: $0.string(0), column: $0.string(1)) }
    return Dictionary(grouping: columns, by: \.table).mapValues { $0.map(\.column) }
  }

  private func references(on connection: Connection) throws -> [String: [StoredTable.Reference]] {
    let references = try connection.rows(
      """
      SELECT c.relname, a.attname, parent.relname, b.attname, k.confdeltype = 'c'
      FROM pg_constraint k
      JOIN pg_class c ON c.oid = k.conrelid
      JOIN pg_class parent ON parent.oid = k.confrelid
      JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
      JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
      WHERE k.contype = 'f' AND array_length(k.conkey, 1) = 1
        AND c.relnamespace = CAST('public' AS regnamespace)
      ORDER BY c.relname, a.attnum
      """
    ) { row in
      (
        table: row.string(0),
        reference: StoredTable.Reference(
          column: row.string(1), table: row.string(2), key: row.string(3), cascades: row.bool(4))
      )
    }
    return Dictionary(grouping: references, by: \.table).mapValues { $0.map(\.reference) }
  }
}
