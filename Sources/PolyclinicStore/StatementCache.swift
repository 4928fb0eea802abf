import PolyclinicCore

/// The compiled statements of one connection, by where in the source their text comes from: to spell a
/// statement out, and to hash its text, would take as long as a small one runs.
struct StatementCache {
  /// More than the distinct statements of all modules together; lists of ids add a few each.
  static let capacity = 256

  private let database: OpaquePointer
  private var statements: [Int: [Known]] = [:]
  private var count = 0
  private var clock = 0

  private struct Known {
    /// Its text, with the values of the first run left out.
    let sql: SQL
    let statement: PreparedStatement
  }

  init(_ database: OpaquePointer) {
    self.database = database
    statements.reserveCapacity(Self.capacity)
  }

  /// A compiled statement that nobody is running at the moment; throws ``DatabaseError``.
  mutating func statement(_ sql: SQL) throws -> PreparedStatement {
    clock += 1
    let origin = sql.origin
    if let known = statements[origin]?.first(where: { $0.sql.isSpelled(like: sql) })?.statement {
      if known.isRunning { return try compiled(sql, .once) }
      known.lastUse = clock
      return known
    }
    let statement = try compiled(sql, .kept)
    statement.lastUse = clock
    if count >= Self.capacity { dropOldest() }
    statements[origin, default: []].append(Known(sql: sql.withoutValues, statement: statement))
    count += 1
    return statement
  }

  private func compiled(_ sql: SQL, _ use: PreparedStatement.Use) throws -> PreparedStatement {
    try PreparedStatement(sql.rendered(Dialect.inSQLite).text, use, on: database)
  }

  /// One that is being run lives on until its run ends: the run holds it.
  private mutating func dropOldest() {
    let oldest = statements.min { one, other in
      (one.value.map(\.statement.lastUse).min() ?? 0)
        < (other.value.map(\.statement.lastUse).min() ?? 0)
    }
    if let oldest {
      statements[oldest.key] = nil
      count -= oldest.value.count
    }
  }
}
