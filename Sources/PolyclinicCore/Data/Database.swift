/// Where the portal's data lives. Both calls are synchronous and belong to the calling thread.
public protocol Database: Sendable {
  /// Runs `body` on one consistent state of the data, which it cannot change.
  ///
  /// Inside a `read` or `write` of the same thread, `body` sees that transaction.
  func read<Value>(_ body: (Connection) throws -> Value) throws -> Value

  /// Runs `body`, all of whose reads see the state that the first of them finds; a write ends it, and what
  /// is read after it sees a later one.
  ///
  /// For what takes as long as a page, and by the calling thread alone.
  func sharingReads<Value>(_ body: () throws -> Value) rethrows -> Value

  /// Runs `body` in a transaction that is kept whole when `body` returns, and undone whole when it throws.
  ///
  /// Writers queue up one behind the other; whoever waits for some seconds is thrown a
  /// ``DatabaseError`` of kind `busy`. `body` may run again after a conflict between machines:
  /// it must not do anything outside its connection. Not to be nested.
  @discardableResult
  func write<Value>(_ body: (Connection) throws -> Value) throws -> Value

  /// As ``write(_:)`` when nobody else is writing; nil, at once and with nothing done, when somebody is.
  ///
  /// For what may be left out, such as the time when a session was last seen.
  @discardableResult
  func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value?

  /// Gives back the memory that the calling thread's next calls would be faster with, such as pages of a
  /// file: for a thread that has had nothing to do for a while.
  func giveMemoryBack()
}

extension Database {
  /// Each read sees a state of its own.
  public func sharingReads<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }

  /// Nothing is kept.
  public func giveMemoryBack() {}
}

/// What an engine answered instead of doing what it was asked.
public struct DatabaseError: Error, Sendable {
  /// What callers can act upon.
  public enum Kind: Sendable, Equatable {
    /// A UNIQUE index or primary key already holds the value.
    case unique
    /// A foreign key refers to nothing, or is still referred to.
    case foreignKey
    /// Another constraint of the schema (NOT NULL, CHECK, type).
    case constraint
    /// Too many writers for too long.
    case busy
    /// No room on the disk.
    case full
    /// The file may be read but not written.
    case readOnly
    /// The file is missing, or another one stands in its place.
    case missing
    /// The file is damaged.
    case corrupt
    /// Anything that nobody can act upon.
    case other
  }

  /// What callers can act upon.
  public let kind: Kind
  /// The engine's own extended code.
  public let code: Int
  /// Where it happened, without any value of a row: safe to log.
  public let detail: String

  /// `detail` must not quote a value of a row: it is logged.
  public init(_ kind: Kind, code: Int, detail: String) {
    self.kind = kind
    self.code = code
    self.detail = detail
  }
}
