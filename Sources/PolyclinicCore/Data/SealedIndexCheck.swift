extension SealedIndex {
  /// Whether it can be opened whole, and stands for these records and no others, each once: in any
  /// order, since another release may have another.
  ///
  /// Throws what opening throws, when a chunk was changed.
  public func stands(
    for records: [ID<Entry.Record>], by keys: Keys, on connection: Connection
  ) throws -> Bool {
    var found: [ID<Entry.Record>] = []
    for chunk in try directory(by: keys, on: connection).chunks {
      let items = try open(chunk.number, by: keys, on: connection).items
      guard items.count == chunk.count else { return false }
      for item in items { found.append(try Self.entry(item).id) }
    }
    return found.sorted() == records.sorted()
  }
}
