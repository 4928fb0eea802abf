import CSQLite
import PolyclinicCore

/// A reader of all tables of a database file, for tests that look for left-over data.
final class StoredTables {
  private let handle: OpaquePointer

  /// Throws ``DatabaseError`` when the file cannot be read.
  init(at path: String) throws {
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil)
    guard code == SQLITE_OK, let handle else {
      throw DatabaseError(.other, code: Int(code), detail: path)
    }
    self.handle = handle
  }

  deinit { sqlite3_close_v2(handle) }

  /// Returns the number of rows of each table.
  func counts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for name in try names() {
      counts[name] = try rows("SELECT count(*) FROM \"\(name)\"").first.flatMap { Int($0[0]) }
    }
    return counts
  }

  /// Returns the tables with a foreign key to this person.
  func names(referringTo person: ID<Person>) throws -> [String] {
    try names().filter { name in
      let columns = try rows(
        "SELECT \"from\" FROM pragma_foreign_key_list('\(name)') WHERE \"table\" = 'people'")
      return try columns.contains { column in
        try rows("SELECT 1 FROM \"\(name)\" WHERE \"\(column[0])\" = \(person)").isEmpty == false
      }
    }
  }

  /// Returns the tables that hold these bytes as a value.
  func names(holding bytes: [UInt8]) throws -> [String] {
    let digits = bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    let literal = "x'\(digits)'"
    return try names().filter { name in
      let columns = try rows("SELECT name FROM pragma_table_info('\(name)')")
      return try columns.contains { column in
        try rows("SELECT 1 FROM \"\(name)\" WHERE \"\(column[0])\" = \(literal)").isEmpty == false
      }
    }
  }

  private func names() throws -> [String] {
    try rows(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
      ORDER BY name
      """
    ).map { $0[0] }
  }

  private func rows(_ text: String) throws -> [[String]] {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, text, -1, &statement, nil)
    guard code == SQLITE_OK else { throw DatabaseError(.other, code: Int(code), detail: text) }
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    return rows
  }
}
