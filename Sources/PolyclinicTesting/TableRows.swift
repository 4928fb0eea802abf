import PolyclinicCore

/// The rows of some tables at one moment, in a form that can be compared.
struct TableRows: Sendable {
  /// The texts of the rows by table and primary key.
  private var rows: [String: [String: String]] = [:]

  /// Reads all rows of the tables.
  init(of tables: [String], on connection: Connection) throws {
    for table in tables {
      let columns = try connection.rows("SELECT name, pk FROM pragma_table_info(\(table))") {
        (name: $0.string(0), isKey: $0.bool(1))
      }
      let keys = columns.filter(\.isKey)
      let key = Self.text(of: (keys.isEmpty ? columns : keys).map(\.name))
      let text = Self.text(of: columns.map(\.name))
      let all = try connection.rows("SELECT \(key), \(text) FROM \(schemaName: table)") {
        ($0.string(0), $0.string(1))
      }
      rows[table] = Dictionary(all) { first, _ in first }
    }
  }

  private static func text(of columns: [String]) -> SQL {
    columns.reduce("''") { "\($0) || ' ' || quote(\(schemaName: $1))" }
  }

  /// Returns the tables that have other rows in `later`.
  func tablesChanged(in later: TableRows) -> [String] {
    rows.filter { later.rows[$0.key] != $0.value }.map(\.key).sorted()
  }

  /// Returns the tables of which `later` lacks a row or has another version of it.
  func tablesWithLosses(in later: TableRows) -> [String] {
    rows.filter { table, texts in
      texts.contains { later.rows[table]?[$0.key] != $0.value }
    }.map(\.key).sorted()
  }

  /// Returns the rows whose keys `other` does not have.
  func subtracting(_ other: TableRows) -> TableRows {
    var rest = self
    for (table, texts) in rows {
      rest.rows[table] = texts.filter { other.rows[table]?[$0.key] == nil }
    }
    return rest
  }

  /// Returns the rows in the version of `later`, without those that it lacks.
  func updated(by later: TableRows) -> TableRows {
    var present = self
    for (table, texts) in rows {
      let versions = texts.keys.compactMap { key in later.rows[table]?[key].map { (key, $0) } }
      present.rows[table] = Dictionary(versions) { first, _ in first }
    }
    return present
  }
}

extension TestPortal {
  /// The tables and the paths of a portal without further modules.
  private static let bare = Result {
    let portal = try TestPortal()
    return (tables: try portal.tables(), paths: Set(portal.routes.map(\.path)))
  }

  /// Returns the tables that the modules of the test have added, sorted.
  func moduleTables() throws -> [String] {
    try tables().subtracting(Self.bare.get().tables).sorted()
  }

  /// Returns the routes that the modules of the test have added.
  func moduleRoutes() throws -> [DeclaredRoute] {
    let paths = try Self.bare.get().paths
    return routes.filter { !paths.contains($0.path) }
  }

  /// Returns all rows of the modules' tables.
  func moduleRows() throws -> TableRows {
    let tables = try moduleTables()
    return try database.read { try TableRows(of: tables, on: $0) }
  }

  /// Returns the rows of the modules' tables that are deleted together with the person.
  func moduleRows(of person: ID<Person>) throws -> TableRows {
    let tables = try moduleTables()
    return try rollingBack { connection in
      let all = try TableRows(of: tables, on: connection)
      try connection.run("DELETE FROM people WHERE id_person = \(person)")
      return all.subtracting(try TableRows(of: tables, on: connection))
    }
  }

  /// Returns the numbers of a table's rows that are deleted together with the person, in order.
  func numbers(
    of person: ID<Person>, in table: String, where condition: SQL = "1 = 1"
  ) throws -> [Int] {
    guard try hasRowIDs(table) else { return [] }
    return try rollingBack { connection in
      func numbers() throws -> [Int] {
        try connection.rows("SELECT rowid FROM \(schemaName: table) WHERE \(condition)") {
          $0.int(0)
        }
      }
      let before = try numbers()
      try connection.run("DELETE FROM people WHERE id_person = \(person)")
      return try Set(before).subtracting(numbers()).sorted()
    }
  }

  /// Returns true if the rows of a table have numbers, as all but those of `WITHOUT ROWID` do.
  func hasRowIDs(_ table: String) throws -> Bool {
    try database.read { connection in
      try connection.integer(
        """
        SELECT 1 FROM sqlite_schema
        WHERE type = 'table' AND name = \(table) AND sql NOT LIKE '%WITHOUT ROWID%'
        """)
    } != nil
  }

  /// Returns the result of `change` and rolls its transaction back.
  func rollingBack<Value: Sendable>(_ change: (Connection) throws -> Value) throws -> Value {
    do {
      return try database.write { connection -> Value in
        throw RolledBack(value: try change(connection))
      }
    } catch let end as RolledBack<Value> { return end.value }
  }
}

private struct RolledBack<Value: Sendable>: Error { let value: Value }
