import PolyclinicCore

/// The tables of a database as statements depend on them: columns, keys, constraints and triggers.
public struct Schema: Sendable, Equatable {
  /// The tables by name, without SQLite's own.
  private(set) var tables: [String: Table] = [:]

  /// One table.
  struct Table: Sendable, Equatable {
    let isStrict: Bool
    let hasRowID: Bool
    /// The conditions of its CHECK constraints.
    let checks: Set<String>
    var columns: [String: Column] = [:]
    /// The columns, and the condition of a partial index, that no two rows share.
    var uniqueKeys: Set<String> = []
    var foreignKeys: Set<ForeignKey> = []
    /// The statements of its triggers by name.
    var triggers: [String: String] = [:]
  }

  /// One column of a table.
  struct Column: Sendable, Equatable {
    let type: String
    let isRequired: Bool
    /// The expression of its default; nil where there is none.
    let defaultValue: String?
    /// The place in the primary key, from 1; 0 outside of it.
    let keyPlace: Int
    let isComputed: Bool
  }

  /// A reference to another table.
  struct ForeignKey: Sendable, Hashable {
    var columns: [String]
    let table: String
    let onDelete: String
  }

  /// The names of all tables.
  public var tableNames: Set<String> { Set(tables.keys) }

  /// Reads the schema as it is; throws ``DatabaseError``.
  public init(on connection: Connection) throws {
    try readTables(connection)
    try readColumns(connection)
    try readUniqueKeys(connection)
    try readForeignKeys(connection)
    try readTriggers(connection)
  }

  private mutating func readTables(_ connection: Connection) throws {
    try connection.forEach(
      """
      SELECT tables.name, kinds.strict, kinds.wr, tables.sql
      FROM sqlite_schema AS tables JOIN pragma_table_list(tables.name) AS kinds
      WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND kinds.schema = 'main'
      """
    ) { row in
      tables[row.string(0)] = Table(
        isStrict: row.bool(1), hasRowID: !row.bool(2), checks: CheckClauses(in: row.string(3)).all)
    }
  }

  private mutating func readColumns(_ connection: Connection) throws {
    try connection.forEach(
      """
      SELECT tables.name, columns.name, columns.type, columns."notnull", columns.dflt_value,
        columns.pk, columns.hidden
      FROM sqlite_schema AS tables JOIN pragma_table_xinfo(tables.name) AS columns
      WHERE tables.type = 'table'
      """
    ) { row in
      tables[row.string(0)]?.columns[row.string(1)] = Column(
        type: row.string(2), isRequired: row.bool(3),
        defaultValue: row.isNull(4) ? nil : row.string(4), keyPlace: row.int(5),
        isComputed: row.bool(6))
    }
  }

  /// An index that a statement has made has its text, one of a constraint has none.
  private mutating func readUniqueKeys(_ connection: Connection) throws {
    var keys: [String: (table: String, columns: [String], text: String?)] = [:]
    try connection.forEach(
      """
      SELECT tables.name, indexes.name, parts.name, definitions.sql
      FROM sqlite_schema AS tables
      JOIN pragma_index_list(tables.name) AS indexes ON indexes."unique" AND indexes.origin <> 'pk'
      JOIN pragma_index_info(indexes.name) AS parts
      LEFT JOIN sqlite_schema AS definitions
        ON definitions.type = 'index' AND definitions.name = indexes.name
      WHERE tables.type = 'table' ORDER BY indexes.name, parts.seqno
      """
    ) { row in
      let text = row.isNull(3) ? nil : row.string(3)
      keys[row.string(1), default: (row.string(0), [], text)].columns.append(
        row.isNull(2) ? "" : row.string(2))
    }
    for key in keys.values {
      let written = key.text.map { oneLine(String($0.drop { $0 != "(" })) }
      tables[key.table]?.uniqueKeys.insert(
        written ?? "(\(key.columns.joined(separator: ", ")))")
    }
  }

  private mutating func readForeignKeys(_ connection: Connection) throws {
    var keys: [String: ForeignKey] = [:]
    var owners: [String: String] = [:]
    try connection.forEach(
      """
      SELECT tables.name, keys.id, keys."from", keys."table", keys.on_delete
      FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys
      WHERE tables.type = 'table' ORDER BY tables.name, keys.id, keys.seq
      """
    ) { row in
      let name = "\(row.string(0)) \(row.int(1))"
      owners[name] = row.string(0)
      keys[
        name, default: ForeignKey(columns: [], table: row.string(3), onDelete: row.string(4))
      ].columns.append(row.string(2))
    }
    for (name, key) in keys { tables[owners[name] ?? ""]?.foreignKeys.insert(key) }
  }

  private mutating func readTriggers(_ connection: Connection) throws {
    try connection.forEach("SELECT tbl_name, name, sql FROM sqlite_schema WHERE type = 'trigger'") {
      tables[$0.string(0)]?.triggers[$0.string(1)] = oneLine($0.string(2))
    }
  }
}

/// The text with every run of white space as one blank.
func oneLine(_ text: String) -> String {
  text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}
