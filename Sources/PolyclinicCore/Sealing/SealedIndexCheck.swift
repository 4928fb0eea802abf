extension SealedIndex {
  /// Returns true if the index can be opened as a whole, and lists each of these records once and
  /// no others. The order does not matter, because another release may have another one.
  ///
  /// Throws the error of opening a chunk that was changed.
  public func stands(
    for records: [ID<Entry.Record>], in work: Work
  ) throws -> Bool {
    var found: [ID<Entry.Record>] = []
    for chunk in try directory(in: work).chunks {
      let items = try open(chunk.number, in: work).items
      guard items.count == chunk.count else { return false }
      for item in items { found.append(try decoded(item).id) }
    }
    return found.sorted() == records.sorted()
  }
}
