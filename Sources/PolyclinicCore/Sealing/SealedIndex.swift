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
  private let table: SQL
  private let name: StaticString
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
  public func page(_ number: Int, by keys: Keys, on connection: Connection) throws -> Slice {
    try page(number, by: keys, on: connection, reading: codec.read)
  }

  /// Returns a page of the entries for which a condition is true, in order. Opens every chunk of the
  /// person.
  public func page(
    _ number: Int, by keys: Keys, on connection: Connection,
    where isIncluded: (Entry) throws -> Bool
  ) throws -> Slice {
    var found: [Entry] = []
    try forEach(by: keys, on: connection) { if try isIncluded($0) { found.append($0) } }
    let pagination = Page.Pagination(page: number, total: found.count)
    return Slice(entries: Array(found[pagination.range]), on: pagination)
  }

  /// Calls `body` for each entry, in order.
  public func forEach(
    by keys: Keys, on connection: Connection, _ body: (Entry) throws -> Void
  ) throws {
    try forEach(by: keys, on: connection, reading: codec.read, body)
  }

  /// Calls `body` for each entry, in order, until it returns false. Opens no later chunks.
  public func prefix(
    by keys: Keys, on connection: Connection, while body: (Entry) throws -> Bool
  ) throws {
    try prefix(by: keys, on: connection, reading: codec.read, while: body)
  }

  @inlinable
  func page(
    _ number: Int, by keys: Keys, on connection: Connection,
    reading read: (inout ByteReader) throws -> Entry
  ) throws -> Slice {
    let directory = try directory(by: keys, on: connection)
    let pagination = Page.Pagination(page: number, total: directory.total)
    var entries: [Entry] = []
    entries.reserveCapacity(pagination.range.count)
    var first = pagination.range.lowerBound
    for chunk in directory.chunks where entries.count < Page.Pagination.size {
      if first >= chunk.count {
        first -= chunk.count
        continue
      }
      var reader = try reader(of: chunk.number, by: keys, on: connection)
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
    by keys: Keys, on connection: Connection, reading read: (inout ByteReader) throws -> Entry,
    _ body: (Entry) throws -> Void
  ) throws {
    try forEachChunk(by: keys, on: connection) { reader in
      while !reader.isAtEnd { try body(reader.part(read)) }
    }
  }

  @inlinable
  func prefix(
    by keys: Keys, on connection: Connection, reading read: (inout ByteReader) throws -> Entry,
    while body: (Entry) throws -> Bool
  ) throws {
    for chunk in try directory(by: keys, on: connection).chunks {
      var reader = try reader(of: chunk.number, by: keys, on: connection)
      while !reader.isAtEnd {
        guard try body(reader.part(read)) else { return }
      }
    }
  }

  /// Calls `body` with the entries of each chunk, each entry preceded by its length.
  @usableFromInline
  func forEachChunk(
    by keys: Keys, on connection: Connection, _ body: (inout ByteReader) throws -> Void
  ) throws {
    for chunk in try directory(by: keys, on: connection).chunks {
      var reader = try reader(of: chunk.number, by: keys, on: connection)
      try body(&reader)
    }
  }

  /// Returns a reader of a chunk's entries, each preceded by its length.
  @usableFromInline
  func reader(
    of chunk: Int64, by keys: Keys, on connection: Connection
  ) throws -> ByteReader {
    try IndexChunk.reader(of: opened(chunk, by: keys, on: connection))
  }

  /// Inserts a new entry at its position. Throws ``Refusal/conflict(_:)`` if the person already has
  /// the maximum number of entries.
  public func put(_ entry: Entry, by keys: Keys, on connection: Connection) throws {
    var directory = try directory(by: keys, on: connection)
    try directory.requireRoom(for: 1)
    let found = try place(of: entry, in: directory, by: keys, on: connection)
    let place = found?.place
    var chunk = try found.map { try IndexChunk($0.opened) } ?? IndexChunk()
    chunk.items.insert(encoded(entry), at: try position(of: entry, in: chunk))
    let pieces = chunk.pieces
    let number = place.map { directory.chunks[$0].number } ?? directory.takeNumber()
    var described = [(number: number, count: pieces[0].items.count)]
    try store(pieces[0], as: number, by: keys, on: connection)
    for piece in pieces.dropFirst() {
      let number = directory.takeNumber()
      described.append((number, piece.items.count))
      try store(piece, as: number, by: keys, on: connection)
    }
    let replaced = place.map { $0..<$0 + 1 } ?? 0..<0
    directory.chunks.replaceSubrange(replaced, with: described)
    try store(directory, by: keys, on: connection)
  }

  /// Removes an entry; does nothing if it is not there.
  ///
  /// Searches its position first, and then all chunks, because another release may have used
  /// another order.
  public func remove(_ entry: Entry, by keys: Keys, on connection: Connection) throws {
    var directory = try directory(by: keys, on: connection)
    let likely = try place(of: entry, in: directory, by: keys, on: connection)?.place
    let places = (likely.map { [$0] } ?? []) + directory.chunks.indices.filter { $0 != likely }
    for place in places {
      let number = directory.chunks[place].number
      var chunk = try open(number, by: keys, on: connection)
      let position = try chunk.items.firstIndex { try decoded($0).id == entry.id }
      guard let position else { continue }
      chunk.items.remove(at: position)
      try store(chunk, at: place, in: &directory, by: keys, on: connection)
      return
    }
  }

  /// Returns bytes that differ after each change of the person's records; empty before the first
  /// record. Data that was read together with them is valid for as long as they are the same.
  ///
  /// They are the sealed directory, which has a new nonce each time that it is stored.
  public func version(by keys: Keys, on connection: Connection) throws -> [UInt8] {
    try sealed(0, of: keys.person, on: connection)?.bytes ?? []
  }

  /// Stores the directory again, so that ``version(by:on:)`` also differs after a change that no
  /// entry shows.
  func renewVersion(by keys: Keys, on connection: Connection) throws {
    try store(directory(by: keys, on: connection), by: keys, on: connection)
  }

  /// Replaces the entry of a changed record.
  public func replace(
    _ old: Entry, with new: Entry, by keys: Keys, on connection: Connection
  ) throws {
    if encoded(old) == encoded(new) { return try renewVersion(by: keys, on: connection) }
    try remove(old, by: keys, on: connection)
    try put(new, by: keys, on: connection)
  }

  private func store(
    _ chunk: IndexChunk, at place: Int, in directory: inout IndexDirectory, by keys: Keys,
    on connection: Connection
  ) throws {
    let number = directory.chunks[place].number
    if chunk.items.isEmpty {
      directory.chunks.remove(at: place)
      try remove(number, by: keys, on: connection)
    } else {
      directory.chunks[place].count = chunk.items.count
      try store(chunk, as: number, by: keys, on: connection)
    }
    try store(directory, by: keys, on: connection)
  }

  /// Rebuilds the person's index from all entries, in any order.
  public func rebuild(_ entries: [Entry], by keys: Keys, on connection: Connection) throws {
    try connection.run("DELETE FROM \(table) WHERE person = \(keys.person)")
    var directory = IndexDirectory()
    let sorted = entries.sorted(by: precedes).map(encoded)
    for start in stride(from: 0, to: sorted.count, by: IndexChunk.size) {
      let chunk = IndexChunk(items: Array(sorted[start...].prefix(IndexChunk.size)))
      let number = directory.takeNumber()
      directory.chunks.append((number, chunk.items.count))
      try store(chunk, as: number, by: keys, on: connection)
    }
    try store(directory, by: keys, on: connection)
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

extension SealedIndex {
  func precedes(_ one: Entry, _ other: Entry) -> Bool {
    if codec.isBefore(one, other) { return true }
    return !codec.isBefore(other, one) && one.id < other.id
  }

  func encoded(_ entry: Entry) -> ArraySlice<UInt8> {
    var bytes = ByteWriter()
    codec.write(entry, &bytes)
    return bytes.bytes[...]
  }

  @usableFromInline
  func decoded(_ item: ArraySlice<UInt8>) throws -> Entry {
    var reader = ByteReader(item)
    return try codec.read(&reader)
  }

  /// Returns the last chunk that does not begin behind the entry, opened; nil if there is no chunk.
  private func place(
    of entry: Entry, in directory: IndexDirectory, by keys: Keys, on connection: Connection
  ) throws -> (place: Int, opened: [UInt8])? {
    if directory.chunks.isEmpty { return nil }
    var (low, high) = (0, directory.chunks.count)
    var lowest: [UInt8]?
    while high - low > 1 {
      let middle = (low + high) / 2
      let opened = try opened(directory.chunks[middle].number, by: keys, on: connection)
      var reader = try IndexChunk.reader(of: opened)
      if precedes(entry, try decoded(reader.bytes())) {
        high = middle
      } else {
        (low, lowest) = (middle, opened)
      }
    }
    return (low, try lowest ?? opened(directory.chunks[low].number, by: keys, on: connection))
  }

  /// Returns the position of the entry in the chunk, or the position at which to insert it.
  private func position(of entry: Entry, in chunk: IndexChunk) throws -> Int {
    var (low, high) = (0, chunk.items.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(try decoded(chunk.items[middle]), entry) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  @usableFromInline
  func directory(by keys: Keys, on connection: Connection) throws -> IndexDirectory {
    let sealed = try sealed(0, of: keys.person, on: connection)
    guard let sealed else {
      // Without this check, an index whose directory was lost would pass for an empty list.
      guard try isEmpty(for: keys.person, on: connection) else { throw DecodingFailure() }
      return IndexDirectory()
    }
    return try IndexDirectory(keys.open(sealed, as: name, row: 0))
  }

  private func isEmpty(for person: ID<Person>, on connection: Connection) throws -> Bool {
    try connection.row("SELECT 1 FROM \(table) WHERE person = \(person) LIMIT 1") { _ in } == nil
  }

  func open(
    _ number: Int64, by keys: Keys, on connection: Connection
  ) throws -> IndexChunk {
    try IndexChunk(opened(number, by: keys, on: connection))
  }

  private func opened(
    _ number: Int64, by keys: Keys, on connection: Connection
  ) throws -> [UInt8] {
    let sealed = try sealed(number, of: keys.person, on: connection)
    guard let sealed else { throw DecodingFailure() }
    return try keys.open(sealed, as: name, row: number)
  }

  private func sealed(
    _ number: Int64, of person: ID<Person>, on connection: Connection
  ) throws -> Sealed? {
    try connection.row(
      "SELECT sealed FROM \(table) WHERE person = \(person) AND chunk = \(number)"
    ) { $0.sealed(0) }
  }

  func store(
    _ chunk: IndexChunk, as number: Int64, by keys: Keys, on connection: Connection
  ) throws {
    try store(chunk.bytes, as: number, count: chunk.items.count, by: keys, on: connection)
  }

  func remove(_ number: Int64, by keys: Keys, on connection: Connection) throws {
    try connection.run(
      "DELETE FROM \(table) WHERE person = \(keys.person) AND chunk = \(number)")
  }

  func store(
    _ directory: IndexDirectory, by keys: Keys, on connection: Connection
  ) throws {
    try store(directory.bytes, as: 0, count: directory.total, by: keys, on: connection)
  }

  private func store(
    _ bytes: [UInt8], as number: Int64, count: Int, by keys: Keys, on connection: Connection
  ) throws {
    let sealed = try keys.seal(bytes, as: name, row: number)
    try connection.run(
      """
      INSERT INTO \(table) (person, chunk, entries, sealed)
      VALUES (\(keys.person), \(number), \(count), \(sealed))
      ON CONFLICT (person, chunk) DO UPDATE SET entries = excluded.entries, sealed = excluded.sealed
      """)
  }
}
