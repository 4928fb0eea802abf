import PolyclinicCore

/// A statement that the engine has compiled.
protocol CachedStatement: AnyObject {
  /// The time of its last use, on the clock of its ``StatementCache``.
  var lastUse: Int { get set }
}

/// The compiled statements of one session, by the source location of their text. Assembling the
/// text and hashing it would take as long as running a small statement.
struct StatementCache<Statement: CachedStatement> {
  /// The maximum number of statements. It exceeds the distinct statements of all modules together;
  /// lists of ids add a few each.
  private let capacity = 256

  private var statements: [Int: [Known]] = [:]
  private var count = 0
  private var clock = 0

  private struct Known {
    /// The text, without the values of the first run.
    let sql: SQL
    let statement: Statement
  }

  init() { statements.reserveCapacity(capacity) }

  /// Returns the compiled statement; nil if there is none.
  mutating func statement(_ sql: SQL) -> Statement? {
    clock += 1
    let known = statements[sql.origin]?.first { $0.sql.isSpelled(like: sql) }?.statement
    known?.lastUse = clock
    return known
  }

  /// Adds a statement that is not there, and returns those that it displaces: the least recently
  /// used ones.
  mutating func add(_ statement: Statement, for sql: SQL) -> [Statement] {
    let displaced = count >= capacity ? dropOldest() : []
    statement.lastUse = clock
    statements[sql.origin, default: []].append(Known(sql: sql.withoutValues, statement: statement))
    count += 1
    return displaced
  }

  private mutating func dropOldest() -> [Statement] {
    let oldest = statements.min { one, other in
      (one.value.map(\.statement.lastUse).min() ?? 0)
        < (other.value.map(\.statement.lastUse).min() ?? 0)
    }
    guard let oldest else { return [] }
    statements[oldest.key] = nil
    count -= oldest.value.count
    return oldest.value.map(\.statement)
  }
}
