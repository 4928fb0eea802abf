/// An index entry with an encoding of its own, for lists in which the time to read each entry
/// shows.
///
/// All other records have a ``Form/Excerpt``. `<` is the order of the list.
@usableFromInline
package protocol CodedEntry: SealedEntry, Comparable {
  /// Reads the fields that ``write(to:)`` wrote, in the same order. Leaves unread any fields that a
  /// later release has added behind them.
  init(from bytes: inout ByteReader) throws
  /// Writes the fields that lists and searches need. A later release may add fields only at the
  /// end.
  func write(to bytes: inout ByteWriter)
}

/// The reading functions of ``SealedIndex``, compiled into the module that has the entries.
extension SealedIndex where Entry: CodedEntry {
  /// Creates an index in its own table, which ``schema`` creates. The table's name must never
  /// change.
  package init(_ table: StaticString) {
    self.init(
      table,
      Codec(
        read: { try Entry(from: &$0) }, write: { $0.write(to: &$1) }, isBefore: { $0 < $1 }))
  }

  /// As ``page(_:in:)`` of all entries.
  @inlinable
  package func page(_ number: Int, in work: Work) throws -> Slice {
    try page(number, in: work, reading: { try Entry(from: &$0) })
  }

  /// As ``forEach(in:_:)`` of all entries.
  @inlinable
  package func forEach(
    in work: Work, _ body: (Entry) throws -> Void
  ) throws {
    try forEach(in: work, reading: { try Entry(from: &$0) }, body)
  }

  /// As ``prefix(in:while:)`` of all entries.
  @inlinable
  package func prefix(
    in work: Work, while body: (Entry) throws -> Bool
  ) throws {
    try prefix(in: work, reading: { try Entry(from: &$0) }, while: body)
  }
}
