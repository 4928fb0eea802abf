import PolyclinicCore
import PolyclinicStore
import PolyclinicTesting

/// A reader of all tables of a portal's database, for tests that look for left-over data.
struct StoredTables {
  let portal: TestPortal

  /// Returns the tables with a foreign key to this person.
  func names(referringTo person: ID<Person>) throws -> [String] {
    try names { table, values in
      table.references.contains { reference in
        let column = table.columns.firstIndex { $0.name == reference.column }
        return reference.table == "people"
          && column.map { values[$0] } == .integer(person.rawValue)
      }
    }
  }

  /// Returns the tables that hold these bytes as a value.
  func names(holding bytes: [UInt8]) throws -> [String] {
    try names { _, values in values.contains(.bytes(bytes)) }
  }

  /// Returns the tables of which a row passes the test.
  private func names(
    where isFound: (StoredTable, [SQL.Value]) throws -> Bool
  ) throws -> [String] {
    try portal.database.read { connection in
      try portal.database.tables(on: connection).filter { table in
        var found = false
        try table.forEachRow(on: connection) { row in
          if try isFound(table, table.values(of: row)) { found = true }
        }
        return found
      }.map(\.name)
    }
  }
}
