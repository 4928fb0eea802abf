import PolyclinicCore
import PolyclinicStore

/// The rows of some tables at one moment, in a form that can be compared.
struct TableRows: Sendable {
  /// The values of the rows, by table and by those values that identify a row.
  private var rows: [String: [[SQL.Value]: [SQL.Value]]] = [:]

  /// Reads all rows of the tables.
  init(of tables: [StoredTable], on connection: Connection) throws {
    for table in tables {
      var read: [[SQL.Value]: [SQL.Value]] = [:]
      try table.forEachRow(on: connection) { row in
        let values = table.values(of: row)
        read[table.identity(of: values)] = values
      }
      rows[table.name] = read
    }
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

  /// Returns a table as the engine describes it. Throws `Refusal.notFound` if there is none.
  func stored(_ table: String) throws -> StoredTable {
    let found = try database.read { try database.tables(on: $0) }.first { $0.name == table }
    guard let found else { throw Refusal.notFound }
    return found
  }

  /// Returns all rows of the modules' tables.
  func moduleRows() throws -> TableRows {
    let names = try Set(moduleTables())
    return try database.read { connection in
      let tables = try database.tables(on: connection).filter { names.contains($0.name) }
      return try TableRows(of: tables, on: connection)
    }
  }

  /// Returns the rows of the modules' tables that are deleted together with the person.
  func moduleRows(of person: ID<Person>) throws -> TableRows {
    let names = try Set(moduleTables())
    return try rollingBack { connection in
      let tables = try database.tables(on: connection).filter { names.contains($0.name) }
      let all = try TableRows(of: tables, on: connection)
      try connection.run("DELETE FROM people WHERE id_person = \(person)")
      return all.subtracting(try TableRows(of: tables, on: connection))
    }
  }

  /// Returns the identities of a table's rows that are deleted together with the person, in order.
  func rows(
    of person: ID<Person>, in table: StoredTable, where condition: SQL
  ) throws -> [[SQL.Value]] {
    try rollingBack { connection in
      let before = try table.identities(where: condition, on: connection)
      try connection.run("DELETE FROM people WHERE id_person = \(person)")
      let left = try Set(table.identities(where: condition, on: connection))
      return before.filter { !left.contains($0) }
    }
  }

  /// Returns the numbers of a table's rows that are deleted together with the person, in order.
  func numbers(of person: ID<Person>, in table: String) throws -> [Int] {
    let table = try stored(table)
    guard table.numberColumn != nil else { return [] }
    return try rows(of: person, in: table, where: "1 = 1").compactMap {
      if case .integer(let number)? = $0.first { Int(number) } else { nil }
    }
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

extension StoredTable {
  /// The primary key, if it is a number as in the addresses of pages.
  var numberColumn: String? {
    let column = key.count == 1 ? columns.first { $0.name == key[0] } : nil
    return column?.type == .integer ? column?.name : nil
  }

  /// The columns that tell rows apart: those of the primary key, or all if there is none.
  private var identifying: [Column] {
    key.isEmpty ? columns : columns.filter { key.contains($0.name) }
  }

  /// Returns the values of a row that tell it apart.
  func identity(of values: [SQL.Value]) -> [SQL.Value] {
    if key.isEmpty { return values }
    return zip(columns, values).filter { key.contains($0.0.name) }.map(\.1)
  }

  /// Returns a condition that selects the rows with this identity.
  func condition(for identity: [SQL.Value]) -> SQL {
    zip(identifying, identity).reduce("1 = 1") {
      "\($0) AND \(schemaName: $1.0.name) IS NOT DISTINCT FROM \(value: $1.1)"
    }
  }

  /// Returns the identities of the rows that the condition selects, in order.
  func identities(where condition: SQL, on connection: Connection) throws -> [[SQL.Value]] {
    try connection.rows(
      """
      SELECT \(Self.list(columns)) FROM \(schemaName: name) WHERE \(condition)
      ORDER BY \(Self.list(identifying))
      """
    ) { identity(of: values(of: $0)) }
  }

  private static func list(_ columns: [Column]) -> SQL {
    let names = columns.map { "\(schemaName: $0.name)" as SQL }
    return names.dropFirst().reduce(names.first ?? "1") { "\($0), \($1)" }
  }
}
