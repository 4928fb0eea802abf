/// An index entry: the part of a record that a list, a search or a chart needs, and no more.
///
/// ``Form/Excerpt`` is the entry of all records that need no other.
public protocol SealedEntry: Sendable {
  /// The type of the record that the entry describes.
  associatedtype Record
  /// The id of the record. Entries of equal rank are ordered by it.
  var id: ID<Record> { get }
}

/// One person's index entries in order, sealed in chunks. Lists and searches open a few chunks
/// instead of every record. Without the keys, the database shows nothing but counts.
///
/// An index changes in the transaction of the record, and can be rebuilt from the records. A
/// directory (chunk 0) lists the chunks in order with their counts, so that any page costs the
/// same.
public struct SealedIndex<Entry: SealedEntry>: Sendable {
  let table: SQL
  let name: StaticString
  let codec: Codec

  /// The encoding of the entries, and their order.
  struct Codec: Sendable {
    let read: @Sendable (inout ByteReader) throws -> Entry
    let write: @Sendable (Entry, inout ByteWriter) -> Void
    let isBefore: @Sendable (Entry, Entry) -> Bool
  }

  /// Creates an index in its own table, which ``schema`` creates. The table's name must never
  /// change.
  init(_ table: StaticString, _ codec: Codec) {
    self.table = SQL(stringLiteral: table)
    name = table
    self.codec = codec
  }

  /// The migration statement that creates the table.
  public var schema: SQL {
    """
    CREATE TABLE \(table) (
      person \(.person), chunk \(.integer) NOT NULL, entries \(.integer) NOT NULL,
      sealed \(.bytes) NOT NULL, PRIMARY KEY (person, chunk)
    ) \(.strict)
    """
  }

  /// Returns the entries of a page, numbered from 1. A number beyond the last page means the last
  /// page.
  public func page(_ number: Int, in work: Work) throws -> Slice {
    try page(number, in: work, reading: codec.read)
  }

  /// Returns a page of the entries for which a condition is true, in order. Opens every chunk of
  /// the person.
  public func page(
    _ number: Int, in work: Work, where isIncluded: (Entry) throws -> Bool
  ) throws -> Slice {
    var found: [Entry] = []
    try forEach(in: work) { if try isIncluded($0) { found.append($0) } }
    let pagination = Page.Pagination(page: number, total: found.count)
    return Slice(entries: Array(found[pagination.range]), on: pagination)
  }

  /// Calls `body` for each entry, in order.
  public func forEach(
    in work: Work, _ body: (Entry) throws -> Void
  ) throws {
    try forEach(in: work, reading: codec.read, body)
  }

  /// Calls `body` for each entry, in order, until it returns false. Opens no later chunks.
  public func prefix(
    in work: Work, while body: (Entry) throws -> Bool
  ) throws {
    try prefix(in: work, reading: codec.read, while: body)
  }

  @inlinable
  func page(
    _ number: Int, in work: Work, reading read: (inout ByteReader) throws -> Entry
  ) throws -> Slice {
    let directory = try directory(in: work)
    let pagination = Page.Pagination(page: number, total: directory.total)
    var entries: [Entry] = []
    entries.reserveCapacity(pagination.range.count)
    var first = pagination.range.lowerBound
    for chunk in directory.chunks where entries.count < Page.Pagination.size {
      if first >= chunk.count {
        first -= chunk.count
        continue
      }
      var reader = try reader(of: chunk.number, in: work)
      for place in 0..<chunk.count {
        if place >= first, entries.count < Page.Pagination.size {
          entries.append(try reader.part(read))
        } else {
          _ = try reader.place()
        }
      }
      guard reader.isAtEnd else { throw DecodingFailure() }
      first = 0
    }
    return Slice(entries: entries, on: pagination)
  }

  @inlinable
  func forEach(
    in work: Work, reading read: (inout ByteReader) throws -> Entry, _ body: (Entry) throws -> Void
  ) throws {
    try forEachChunk(in: work) { reader in
      while !reader.isAtEnd { try body(reader.part(read)) }
    }
  }

  @inlinable
  func prefix(
    in work: Work, reading read: (inout ByteReader) throws -> Entry,
    while body: (Entry) throws -> Bool
  ) throws {
    for chunk in try directory(in: work).chunks {
      var reader = try reader(of: chunk.number, in: work)
      while !reader.isAtEnd {
        guard try body(reader.part(read)) else { return }
      }
    }
  }

  /// Calls `body` with the entries of each chunk, each entry preceded by its length.
  @usableFromInline
  func forEachChunk(
    in work: Work, _ body: (inout ByteReader) throws -> Void
  ) throws {
    for chunk in try directory(in: work).chunks {
      var reader = try reader(of: chunk.number, in: work)
      try body(&reader)
    }
  }

  /// Returns a reader of a chunk's entries, each preceded by its length.
  @usableFromInline
  func reader(
    of chunk: Int64, in work: Work
  ) throws -> ByteReader {
    try IndexChunk.reader(of: opened(chunk, in: work))
  }
}

extension SealedIndex {
  /// One page of a list.
  public struct Slice: Sendable {
    /// The entries of this page, in order.
    public let entries: [Entry]
    /// The number of this page, and of all pages.
    public let pagination: Page.Pagination

    /// Creates a page from its entries.
    public init(entries: [Entry], on pagination: Page.Pagination) {
      self.entries = entries
      self.pagination = pagination
    }

    /// True if the page has no entries.
    public var isEmpty: Bool { entries.isEmpty }
  }
}
