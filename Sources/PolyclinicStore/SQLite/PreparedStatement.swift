import CSQLite
import PolyclinicCore

/// A statement that SQLite has compiled, and its current row.
final class PreparedStatement: Row.Source, CachedStatement {
  let text: String
  let isReadOnly: Bool
  /// True while its rows are being read. A nested run needs another copy of the statement.
  var isRunning = false
  var lastUse = 0

  private let handle: OpaquePointer
  private let database: OpaquePointer
  /// The index of the value for each parameter. SQLite numbers `$n` by first appearance, not by n.
  private let order: [Int]

  /// SQLITE_TRANSIENT: SQLite copies the bound value before the call returns.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// The expected use: a single run, or many runs from the cache.
  enum Use { case once, kept }

  /// Compiles one statement. Throws ``DatabaseError`` for text that is not valid SQL.
  init(_ text: String, _ use: Use, on database: OpaquePointer) throws {
    let flags = use == .kept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var compiled: OpaquePointer?
    var isSingle = true
    var source = text
    let code = source.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          database, characters.baseAddress, Int32(characters.count), flags, &compiled, &tail)
        if let tail, let start = characters.baseAddress {
          isSingle = characters[(tail - start)...].allSatisfy { $0 == 10 || $0 == 32 || $0 == 59 }
        }
        return code
      }
    }
    guard code == SQLITE_OK else {
      let message = String(cString: sqlite3_errmsg(database))
      throw DatabaseError(sqlite: code, detail: "\(message), preparing \(text)")
    }
    guard let compiled else { throw DatabaseError.misuse("an empty statement") }
    guard isSingle, let order = Self.order(of: compiled) else {
      sqlite3_finalize(compiled)
      throw DatabaseError.misuse("not one statement with values interpolated: \(text)")
    }
    self.text = text
    self.order = order
    self.database = database
    handle = compiled
    isReadOnly = sqlite3_stmt_readonly(compiled) != 0
  }

  deinit { sqlite3_finalize(handle) }

  private static func order(of handle: OpaquePointer) -> [Int]? {
    var order: [Int] = []
    for index in 0..<sqlite3_bind_parameter_count(handle) {
      guard let name = sqlite3_bind_parameter_name(handle, index + 1),
        let number = Int(String(cString: name).dropFirst()), number > 0
      else { return nil }
      order.append(number - 1)
    }
    return order
  }

  /// Runs the statement with these values, calls `body` for each row, and returns the number of
  /// changed rows. Throws ``DatabaseError``, and any error of `body`.
  func run(_ values: [SQL.Value] = [], _ body: (Row) throws -> Void = { _ in }) throws -> Int {
    defer {
      sqlite3_reset(handle)
      // Bound values may be personal data, so they must not stay in memory until the next run.
      if !order.isEmpty { sqlite3_clear_bindings(handle) }
    }
    try bind(values)
    let changesBefore = sqlite3_total_changes(database)
    let row = Row(self)
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_ROW {
        try body(row)
      } else if code == SQLITE_DONE {
        // Statements that SQLite does not count, such as CREATE TABLE, leave the previous count in
        // place.
        let counted = !isReadOnly && sqlite3_total_changes(database) != changesBefore
        return counted ? Int(sqlite3_changes(database)) : 0
      } else {
        throw failure(code)
      }
    }
  }

  private func bind(_ values: [SQL.Value]) throws {
    guard values.count == order.count else {
      throw DatabaseError.misuse("\(values.count) values for \(order.count) places: \(text)")
    }
    for (index, place) in order.enumerated() {
      guard place < values.count else { throw DatabaseError.misuse("a gap in: \(text)") }
      let code = bind(values[place], at: Int32(index) + 1)
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  private func bind(_ value: SQL.Value, at place: Int32) -> Int32 {
    switch value {
    case .null:
      return sqlite3_bind_null(handle, place)
    case .integer(let number):
      return sqlite3_bind_int64(handle, place, number)
    case .real(let number):
      return sqlite3_bind_double(handle, place, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        // SQLite takes a null pointer for NULL, and the pointer of an empty buffer may be null.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_text(handle, place, "", 0, Self.copied)
        }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(
            handle, place, $0, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
        }
      }
    case .bytes(let bytes):
      if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, place, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(handle, place, $0.baseAddress, UInt64($0.count), Self.copied)
      }
    }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    // Messages of violated constraints name columns, never values. Other messages might quote
    // values.
    let message = code & 0xFF == SQLITE_CONSTRAINT ? sqlite3_errmsg(database) : sqlite3_errstr(code)
    let reason = message.map { String(cString: $0) } ?? ""
    return DatabaseError(sqlite: code, detail: "\(reason), in \(text)")
  }

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, place(column)) == SQLITE_NULL
  }

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, place(column)) }

  func real(_ column: Int) -> Double { sqlite3_column_double(handle, place(column)) }

  func text(_ column: Int) -> String {
    guard let start = sqlite3_column_text(handle, place(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, place(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, place(column)) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, place(column)))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  private func place(_ column: Int) -> Int32 {
    assert(
      column >= 0 && column < sqlite3_column_count(handle), "no column \(column) in \(text)")
    return Int32(truncatingIfNeeded: column)
  }
}
