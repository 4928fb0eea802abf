/// What a list, a search or a chart needs of a record, and no more.
///
/// `<` is the order of the list; ties are ordered by id.
public protocol SealedEntry: Sendable, Comparable {
  /// The record that the entry stands for.
  associatedtype Record
  /// Which record it is; part of the order.
  var id: ID<Record> { get }
  /// Reads what ``write(to:)`` wrote, in the same order. What a later release wrote behind it is
  /// left unread.
  init(from bytes: inout ByteReader) throws
  /// Writes what lists and searches need. A later release may add to the end, and nowhere else.
  func write(to bytes: inout ByteWriter)
}

/// A page's share of a list.
public struct Slice<Entry: Sendable>: Sendable {
  /// Those of this page, in order.
  public let entries: [Entry]
  /// Which page it is, and of how many.
  public let pagination: Pagination

  /// A page as it was cut.
  public init(entries: [Entry], on pagination: Pagination) {
    self.entries = entries
    self.pagination = pagination
  }

  /// Whether the page shows nothing.
  public var isEmpty: Bool { entries.isEmpty }
}

/// One person's entries in order, sealed in chunks: lists and searches open a few chunks instead of
/// every record, and whoever has the database sees nothing but counts.
///
/// It changes in the transaction of the record, and can be made anew from the records. A directory
/// (chunk 0) tells the chunks in order with their counts, so that any page costs the same.
public struct SealedIndex<Entry: SealedEntry>: Sendable {
  private let table: SQL
  private let name: StaticString

  /// `table` is the index's own table, made by ``schema``; its name never changes.
  public init(_ table: StaticString) {
    self.table = SQL(stringLiteral: table)
    name = table
  }

  /// What a migration runs to make the table.
  public var schema: SQL {
    """
    CREATE TABLE \(table) (
      person \(.person), chunk \(.integer) NOT NULL, entries \(.integer) NOT NULL,
      sealed \(.bytes) NOT NULL, PRIMARY KEY (person, chunk)
    ) \(.strict)
    """
  }

  /// The entries of one page, from 1; the last page for a number behind it.
  @inlinable
  public func page(_ number: Int, by keys: Keys, on connection: Connection) throws -> Slice<Entry> {
    let directory = try directory(by: keys, on: connection)
    let pagination = Pagination(page: number, total: directory.total)
    var entries: [Entry] = []
    entries.reserveCapacity(pagination.range.count)
    var first = pagination.range.lowerBound
    for chunk in directory.chunks where entries.count < Pagination.size {
      if first >= chunk.count {
        first -= chunk.count
        continue
      }
      var reader = try reader(of: chunk.number, by: keys, on: connection)
      for place in 0..<chunk.count {
        if place >= first, entries.count < Pagination.size {
          entries.append(try reader.part { try Entry(from: &$0) })
        } else {
          _ = try reader.place()
        }
      }
      guard reader.isAtEnd else { throw DecodingFailure() }
      first = 0
    }
    return Slice(entries: entries, on: pagination)
  }

  /// Calls `body` for each entry, in order.
  @inlinable
  public func forEach(
    by keys: Keys, on connection: Connection, _ body: (Entry) throws -> Void
  ) throws {
    try forEachChunk(by: keys, on: connection) { reader in
      while !reader.isAtEnd { try body(reader.part { try Entry(from: &$0) }) }
    }
  }

  /// Calls `body` for each entry, in order, until it returns false: what stands behind is not opened.
  @inlinable
  public func prefix(
    by keys: Keys, on connection: Connection, while body: (Entry) throws -> Bool
  ) throws {
    for chunk in try directory(by: keys, on: connection).chunks {
      var reader = try reader(of: chunk.number, by: keys, on: connection)
      while !reader.isAtEnd {
        guard try body(reader.part { try Entry(from: &$0) }) else { return }
      }
    }
  }

  /// Calls `body` with the entries of each chunk, each entry behind its length.
  @usableFromInline
  func forEachChunk(
    by keys: Keys, on connection: Connection, _ body: (inout ByteReader) throws -> Void
  ) throws {
    for chunk in try directory(by: keys, on: connection).chunks {
      var reader = try reader(of: chunk.number, by: keys, on: connection)
      try body(&reader)
    }
  }

  /// What reads the entries of a chunk, each behind its length.
  @usableFromInline
  func reader(
    of chunk: Int64, by keys: Keys, on connection: Connection
  ) throws -> ByteReader {
    try IndexChunk.reader(of: opened(chunk, by: keys, on: connection))
  }

  /// Puts a new entry into its place; throws ``Refusal/conflict(_:)`` where the person has the most
  /// already that are kept for one.
  public func put(_ entry: Entry, by keys: Keys, on connection: Connection) throws {
    var directory = try directory(by: keys, on: connection)
    try directory.requireRoom(for: 1)
    let found = try place(of: entry, in: directory, by: keys, on: connection)
    let place = found?.place
    var chunk = try found.map { try IndexChunk($0.opened) } ?? IndexChunk()
    chunk.items.insert(Self.item(entry), at: try Self.position(of: entry, in: chunk))
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

  /// Takes an entry out; one that is not there is no mistake.
  ///
  /// It is looked for in its place, and then everywhere: another release may have put it into another order.
  public func remove(_ entry: Entry, by keys: Keys, on connection: Connection) throws {
    var directory = try directory(by: keys, on: connection)
    let likely = try place(of: entry, in: directory, by: keys, on: connection)?.place
    let places = (likely.map { [$0] } ?? []) + directory.chunks.indices.filter { $0 != likely }
    for place in places {
      let number = directory.chunks[place].number
      var chunk = try open(number, by: keys, on: connection)
      let position = try chunk.items.firstIndex { try Self.entry($0).id == entry.id }
      guard let position else { continue }
      chunk.items.remove(at: position)
      try store(chunk, at: place, in: &directory, by: keys, on: connection)
      return
    }
  }

  /// Bytes that differ after each change of the person's records: what was read together with them
  /// holds for as long as they are the same. No bytes before the first record.
  ///
  /// They are the sealed directory, which has a new nonce each time that it is stored.
  public func version(by keys: Keys, on connection: Connection) throws -> [UInt8] {
    try sealed(0, of: keys.person, on: connection)?.bytes ?? []
  }

  /// Stores the directory again, so that ``version(by:on:)`` tells of a change that no entry shows.
  func renewVersion(by keys: Keys, on connection: Connection) throws {
    try store(directory(by: keys, on: connection), by: keys, on: connection)
  }

  /// Puts what a record has become into its place, and takes out what it was.
  public func replace(
    _ old: Entry, with new: Entry, by keys: Keys, on connection: Connection
  ) throws {
    if old == new { return try renewVersion(by: keys, on: connection) }
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

  /// Makes the person's index anew from all entries, in any order.
  public func rebuild(_ entries: [Entry], by keys: Keys, on connection: Connection) throws {
    try connection.run("DELETE FROM \(table) WHERE person = \(keys.person)")
    var directory = IndexDirectory()
    let sorted = entries.sorted(by: Self.precedes).map(Self.item)
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
  static func precedes(_ one: Entry, _ other: Entry) -> Bool {
    if one < other { return true }
    return !(other < one) && one.id < other.id
  }

  static func item(_ entry: Entry) -> ArraySlice<UInt8> {
    var bytes = ByteWriter()
    entry.write(to: &bytes)
    return bytes.bytes[...]
  }

  @usableFromInline
  static func entry(_ item: ArraySlice<UInt8>) throws -> Entry {
    var reader = ByteReader(item)
    return try Entry(from: &reader)
  }

  /// The last chunk that does not begin behind the entry, opened; nil when there is no chunk.
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
      if Self.precedes(entry, try Self.entry(reader.bytes())) {
        high = middle
      } else {
        (low, lowest) = (middle, opened)
      }
    }
    return (low, try lowest ?? opened(directory.chunks[low].number, by: keys, on: connection))
  }

  /// Where the entry stands in the chunk, or would stand.
  private static func position(of entry: Entry, in chunk: IndexChunk) throws -> Int {
    var (low, high) = (0, chunk.items.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(try Self.entry(chunk.items[middle]), entry) {
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
      // A directory that damage has taken away would pass for an empty list.
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
