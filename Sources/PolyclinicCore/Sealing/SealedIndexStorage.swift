/// The rows of an index: the directory and the chunks, sealed.
extension SealedIndex {
  @usableFromInline
  func decoded(_ item: ArraySlice<UInt8>) throws -> Entry {
    var reader = ByteReader(item)
    return try codec.read(&reader)
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

  func opened(
    _ number: Int64, by keys: Keys, on connection: Connection
  ) throws -> [UInt8] {
    let sealed = try sealed(number, of: keys.person, on: connection)
    guard let sealed else { throw DecodingFailure() }
    return try keys.open(sealed, as: name, row: number)
  }

  func sealed(
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
