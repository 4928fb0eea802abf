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

  /// Runs `body` in a read-only transaction that may take hours, such as a backup. Others keep
  /// reading and writing. A second call waits for the end of the first.
  ///
  /// Throws ``DatabaseError``, and any error of `body`.
  func snapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value

  /// Runs `body` in one transaction that fills an empty database with the rows of another one. No
  /// trigger runs, because those rows hold its effects already.
  ///
  /// An engine may check foreign keys with each statement, so rows come in the order of
  /// ``StoredTable/inReferenceOrder(_:)``. Throws ``DatabaseError``, and any error of `body`.
  func filling<Value>(_ body: (Connection) throws -> Value) throws -> Value

  /// Returns the tables that a transaction sees, in the order of their names, without the engine's
  /// own. Throws ``DatabaseError``.
  func tables(on connection: Connection) throws -> [StoredTable]

  /// Returns the highest number that was assigned in each table with an identity, by the table's
  /// name. Leaves out tables in which none was. Throws ``DatabaseError``.
  func lastIdentities(on connection: Connection) throws -> [String: Int64]

  /// Has the engine assign only higher numbers than these, by the table's name. Never lowers one.
  /// Throws ``DatabaseError``.
  func raiseIdentities(_ least: [String: Int64], on connection: Connection) throws

  /// Returns descriptions of the damage, which name tables and pages but no values; empty if none
  /// is found.
  ///
  /// Others keep reading and writing. Does not detect damage inside values, because only
  /// authenticated encryption does. Throws ``DatabaseError`` of kind `corrupt` if the damage
  /// prevents the check.
  func integrityProblems() throws -> [String]

  /// As ``Database/removeDeletedBytes()``, with the patience of the caller.
  func removeDeletedBytes(for caller: DatabaseCaller) throws

  /// Closes the sessions of all threads. None of them may be in a call. Later calls throw.
  func close()
}

/// The patience of a migration while somebody else migrates.
public enum MigrationWait: Sendable {
  case untilItEnds, notAtAll
}

/// The kind of caller that waits for the database.
public enum DatabaseCaller: Sendable {
  /// A visitor's request, which must end within seconds.
  case request
  /// A command, which may wait a minute for a backup to end.
  case command
}

/// A table as the engine's catalogue describes it.
public struct StoredTable: Sendable, Equatable {
  /// The type of a column, of those that ``SQL/Value`` has.
  public enum ValueType: String, Sendable, Codable {
    case integer, real, text, bytes
  }

  /// A column, with its type.
  public struct Column: Sendable, Equatable, Codable {
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
