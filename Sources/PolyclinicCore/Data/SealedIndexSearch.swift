/// An entry that people search for by words.
public protocol SearchedEntry: SealedEntry {
  /// Whether the entry that begins here is meant: said of what ``SealedEntry/write(to:)`` wrote, so that
  /// no entry is made of those that are not.
  static func isMeant(by query: SearchQuery, from bytes: inout ByteReader) throws -> Bool
}

extension SealedIndex where Entry: SearchedEntry {
  /// One page of the entries that a search means, in order. Opens every chunk of the person.
  @inlinable
  public func search(
    _ query: SearchQuery, by keys: Keys, on connection: Connection, page number: Int
  ) throws -> Slice<Entry> {
    var found: [ArraySlice<UInt8>] = []
    try forEachChunk(by: keys, on: connection) { reader in
      while !reader.isAtEnd {
        try reader.part { item in
          let place = item.unread
          if try Entry.isMeant(by: query, from: &item) { found.append(item.buffer[place]) }
        }
      }
    }
    let pagination = Pagination(page: number, total: found.count)
    return Slice(entries: try found[pagination.range].map(Self.entry), on: pagination)
  }
}
