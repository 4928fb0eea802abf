extension SQL {
  /// A value that a statement binds and that a column holds.
  public protocol Storable: Sendable {
    /// The bound value.
    var sqlValue: SQL.Value { get }
    /// Reads a column that is not NULL; nil if it holds no such value.
    init?(_ row: Row, column: Int)
  }
}

extension Row {
  /// Returns the column; nil if it is NULL or holds no such value.
  @inlinable
  public func value<Value: SQL.Storable>(_ column: Int) -> Value? {
    isNull(column) ? nil : Value(self, column: column)
  }
}

extension String: SQL.Storable {
  @inlinable public var sqlValue: SQL.Value { .text(self) }
  @inlinable public init?(_ row: Row, column: Int) { self = row.string(column) }
}

extension Int: SQL.Storable {
  @inlinable public var sqlValue: SQL.Value { .integer(Int64(self)) }
  @inlinable public init?(_ row: Row, column: Int) { self = row.int(column) }
}

extension Int64: SQL.Storable {
  @inlinable public var sqlValue: SQL.Value { .integer(self) }
  @inlinable public init?(_ row: Row, column: Int) { self = Int64(row.int(column)) }
}

extension Double: SQL.Storable {
  @inlinable public var sqlValue: SQL.Value { .real(self) }
  @inlinable public init?(_ row: Row, column: Int) { self = row.real(column) }
}

/// Stored as 1 or 0, because the engines' strict tables have no Boolean type.
extension Bool: SQL.Storable {
  @inlinable public var sqlValue: SQL.Value { .integer(self ? 1 : 0) }
  @inlinable public init?(_ row: Row, column: Int) { self = row.bool(column) }
}

extension [UInt8]: SQL.Storable {
  @inlinable public var sqlValue: SQL.Value { .bytes(self) }
  @inlinable public init?(_ row: Row, column: Int) { self = row.bytes(column) }
}

/// Stored as its number.
extension ID: SQL.Storable {
  public var sqlValue: SQL.Value { .integer(rawValue) }
  public init?(_ row: Row, column: Int) { self = row.id(column) }
}

/// Stored as Unix seconds.
extension Instant: SQL.Storable {
  public var sqlValue: SQL.Value { .integer(seconds) }
  public init?(_ row: Row, column: Int) { self = row.instant(column) }
}

/// Stored as `YYYY-MM-DD`.
extension CalendarDate: SQL.Storable {
  public var sqlValue: SQL.Value { .text(description) }
  public init?(_ row: Row, column: Int) { self.init(row.string(column)) }
}

/// Stored as `HH:MM`.
extension TimeOfDay: SQL.Storable {
  public var sqlValue: SQL.Value { .text(description) }
  public init?(_ row: Row, column: Int) { self.init(row.string(column)) }
}

/// A case with a raw value is stored as that.
extension SQL.Storable where Self: RawRepresentable, RawValue: SQL.Storable {
  public var sqlValue: SQL.Value { rawValue.sqlValue }
  public init?(_ row: Row, column: Int) {
    guard let value = RawValue(row, column: column) else { return nil }
    self.init(rawValue: value)
  }
}
