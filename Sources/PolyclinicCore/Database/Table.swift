extension SQL {
  /// A table whose columns are declared once, each with the property that it holds.
  ///
  /// Reading, `INSERT` and `UPDATE` follow from the declaration, so that a column inserted between
  /// two others changes the meaning of none.
  ///
  ///     static let table = SQL.Table<Clinic>(
  ///       "clinics", of: Clinic(), .init("id_clinic", \.id).written(.never), .init("name", \.name))
  public struct Table<Record: Sendable>: Sendable {
    /// The table's name.
    public let name: SQL
    /// The columns that ``record(from:)`` reads, for `SELECT`. Each has the table's name, for joins.
    public let columns: SQL
    /// The number of the columns, for ``Row/from(_:)``.
    public let columnCount: Int

    private let blank: Record
    private let declared: [Column]

    /// Creates a table. A column that is NULL or unreadable leaves the property's value of `blank`.
    public init(_ name: StaticString, of blank: Record, _ columns: Column...) {
      self.name = SQL(stringLiteral: name)
      self.columns = SQL(joining: columns.map { "\(SQL(stringLiteral: name)).\($0.name)" })
      columnCount = columns.count
      self.blank = blank
      declared = columns
    }

    /// Reads a row that begins with the ``columns``.
    public func record(from row: Row) -> Record {
      var record = blank
      for (index, column) in declared.enumerated() { column.read(&record, row, index) }
      return record
    }

    /// Returns the `INSERT` of a record.
    public func insertion(of record: Record) -> SQL {
      let written = declared.filter { $0.writing != .never }
      return """
        INSERT INTO \(name) (\(SQL(joining: written.map(\.name))))
        VALUES (\(SQL(joining: written.map { $0.bound(record) })))
        """
    }

    /// Returns what stands after `SET` in an `UPDATE` of a record.
    public func assignments(of record: Record) -> SQL {
      let written = declared.filter { $0.writing == .always }
      return SQL(joining: written.map { "\($0.name) = \($0.bound(record))" })
    }
  }
}

extension SQL.Table {
  /// A column, and the property that it holds.
  public struct Column: Sendable {
    /// The statements of the table that write a column.
    public enum Writing: Sendable {
      /// `INSERT` and `UPDATE`.
      case always
      /// `INSERT` alone.
      case once
      /// Neither: the engine or another statement writes it.
      case never
    }

    let name: SQL
    private(set) var writing = Writing.always
    let bound: @Sendable (Record) -> SQL
    let read: @Sendable (inout Record, Row, Int) -> Void

    @usableFromInline
    init(
      _ name: StaticString, bound: @escaping @Sendable (Record) -> SQL,
      read: @escaping @Sendable (inout Record, Row, Int) -> Void
    ) {
      self.name = SQL(stringLiteral: name)
      (self.bound, self.read) = (bound, read)
    }

    // Compiled into the module with the records, where the properties are known: a list reads
    // thousands of columns.

    /// Creates a column with a value in each row.
    @inlinable
    public init<Value: SQL.Storable>(
      _ name: StaticString, _ property: WritableKeyPath<Record, Value> & Sendable
    ) {
      let set = Self.setter(of: property)
      self.init(
        name, bound: { "\($0[keyPath: property])" },
        read: { record, row, index in
          if let value: Value = row.value(index) { set(&record, value) }
        })
    }

    /// Creates a column that may be NULL.
    @inlinable
    public init<Value: SQL.Storable>(
      _ name: StaticString, _ property: WritableKeyPath<Record, Value?> & Sendable
    ) {
      let set = Self.setter(of: property)
      self.init(
        name, bound: { "\($0[keyPath: property])" },
        read: { record, row, index in set(&record, row.value(index)) })
    }

    /// Returns what sets the property: where it lies in the record's memory, because to follow a
    /// key path takes as long as to read the column.
    @inlinable
    static func setter<Value>(
      of property: WritableKeyPath<Record, Value> & Sendable
    ) -> @Sendable (inout Record, Value) -> Void {
      guard let offset = MemoryLayout<Record>.offset(of: property) else {
        return { record, value in record[keyPath: property] = value }
      }
      return { record, value in
        withUnsafeMutablePointer(to: &record) { record in
          let place = UnsafeMutableRawPointer(record) + offset
          place.assumingMemoryBound(to: Value.self).pointee = value
        }
      }
    }

    /// Returns this column, which only some of the table's statements write.
    public func written(_ writing: Writing) -> Column {
      var column = self
      column.writing = writing
      return column
    }
  }
}
