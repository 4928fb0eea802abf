import PolyclinicCore

/// The compiled statements of one connection, by the source location of their text. Assembling the
/// text and hashing it would take as long as running a small statement.
struct StatementCache {
  /// The maximum number of statements. It exceeds the distinct statements of all modules together;
  /// lists of ids add a few each.
  static let capacity = 256

  private let database: OpaquePointer
  private var statements: [Int: [Known]] = [:]
  private var count = 0
  private var clock = 0

  private struct Known {
    /// The text, without the values of the first run.
    let sql: SQL
    let statement: PreparedStatement
  }

  init(_ database: OpaquePointer) {
    self.database = database
    statements.reserveCapacity(Self.capacity)
  }

  /// Returns a compiled statement that is not running at the moment. Throws ``DatabaseError``.
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
    try PreparedStatement(sql.rendered(.sqlite).text, use, on: database)
  }

  /// Removes the least recently used statement. A running statement lives until its run ends,
  /// because the run holds it.
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
