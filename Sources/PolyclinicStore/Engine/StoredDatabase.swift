import PolyclinicCore

/// The database as the server needs it: beyond the contract of modules, what migrates it, copies it
/// and checks it.
public protocol StoredDatabase: Database {
  /// The spelling of the engine.
  var dialect: SQL.Dialect { get }

  /// Runs `body` while nobody else migrates, on any machine.
  ///
  /// Waits for the end of another migration, or throws ``DatabaseError`` of kind `busy` at once,
  /// without calling `body`.
  func migrating<Value>(_ wait: MigrationWait, _ body: () throws -> Value) throws -> Value

  /// Returns the tables that a transaction sees, in the order of their names, without the engine's
  /// own. Throws ``DatabaseError``.
  func tables(on connection: Connection) throws -> [StoredTable]

  /// Returns descriptions of the damage, which name tables and pages but no values; empty if none
  /// is found.
  ///
  /// Others keep reading and writing. Does not detect damage inside values, because only
  /// authenticated encryption does. Throws ``DatabaseError`` of kind `corrupt` if the damage
  /// prevents the check.
  func integrityProblems() throws -> [String]

  /// Closes the sessions of all threads. None of them may be in a call. Later calls throw.
  func close()
}

/// What to do while somebody else migrates.
public enum MigrationWait: Sendable {
  case untilItEnds, notAtAll
}

/// A table as the engine's catalogue describes it.
public struct StoredTable: Sendable, Equatable {
  /// The type of a column, of those that ``SQL/Value`` has.
  public enum ValueType: String, Sendable {
    case integer, real, text, bytes
  }

  /// A column, with its type.
  public struct Column: Sendable, Equatable {
    public let name: String
    public let type: ValueType
  }

  /// A foreign key of one column.
  public struct Reference: Sendable, Equatable {
    /// The column that refers.
    public let column: String
    /// The table and its column that it refers to.
    public let table: String
    public let key: String
    /// True if the row is deleted along with the one that it refers to.
    public let cascades: Bool
  }

  public let name: String
  /// The columns in the order of their creation.
  public let columns: [Column]
  /// The columns of the primary key, in its order.
  public let key: [String]
  /// The column whose numbers the engine assigns; nil if there is none.
  public let identity: String?
  public let references: [Reference]
}
