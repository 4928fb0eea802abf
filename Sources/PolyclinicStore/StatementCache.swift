import PolyclinicCore

/// The compiled statements of one connection, by their text.
struct StatementCache {
  /// More than the distinct statements of all modules together; lists of ids add a few each.
  static let capacity = 256

  private let database: OpaquePointer
  private var statements: [String: PreparedStatement] = [:]
  private var clock = 0

  init(_ database: OpaquePointer) {
    self.database = database
    statements.reserveCapacity(Self.capacity)
  }

  /// A compiled statement that nobody is running at the moment; throws ``DatabaseError``.
  mutating func statement(_ text: String) throws -> PreparedStatement {
    clock += 1
    if let known = statements[text] {
      if known.isRunning { return try PreparedStatement(text, lasting: false, on: database) }
      known.lastUse = clock
      return known
    }
    let statement = try PreparedStatement(text, lasting: true, on: database)
    statement.lastUse = clock
    if statements.count >= Self.capacity { dropOldest() }
    statements[text] = statement
    return statement
  }

  /// One that is being run lives on until its run ends: the run holds it.
  private mutating func dropOldest() {
    let oldest = statements.min { $0.value.lastUse < $1.value.lastUse }
    if let oldest { statements[oldest.key] = nil }
  }
}
