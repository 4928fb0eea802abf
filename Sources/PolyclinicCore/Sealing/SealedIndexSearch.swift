/// An entry that people search for by words.
@usableFromInline
package protocol SearchedEntry: CodedEntry {
  /// Returns true if the entry that begins here matches the query. Reads the output of
  /// ``CodedEntry/write(to:)``, so that no entry is created without a match.
  static func isMeant(by query: SearchText.Query, from bytes: inout ByteReader) throws -> Bool
}

extension SealedIndex where Entry: SearchedEntry {
  /// Returns one page of the entries that match a query, in order. Opens every chunk of the person.
  @inlinable
  package func search(
    _ query: SearchText.Query, in work: Work, page number: Int
  ) throws -> Slice {
    var found: [ArraySlice<UInt8>] = []
    try forEachChunk(in: work) { reader in
      while !reader.isAtEnd {
        try reader.part { item in
          let place = item.unread
          if try Entry.isMeant(by: query, from: &item) { found.append(item.buffer[place]) }
        }
      }
    }
    let pagination = Page.Pagination(page: number, total: found.count)
    return Slice(entries: try found[pagination.range].map { try decoded($0) }, on: pagination)
  }
}
