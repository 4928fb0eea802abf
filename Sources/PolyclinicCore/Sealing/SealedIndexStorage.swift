/// The rows of an index: the directory and the chunks, sealed.
extension SealedIndex {
  @usableFromInline
  func decoded(_ item: ArraySlice<UInt8>) throws -> Entry {
    var reader = ByteReader(item)
    return try codec.read(&reader)
  }

  @usableFromInline
  func directory(in work: Work) throws -> IndexDirectory {
    let sealed = try sealed(0, of: work.keys.person, on: work)
    guard let sealed else {
      // Without this check, an index whose directory was lost would pass for an empty list.
      guard try isEmpty(for: work.keys.person, on: work) else { throw DecodingFailure() }
      return IndexDirectory()
    }
    return try IndexDirectory(work.keys.open(sealed, as: name, row: 0))
  }

  private func isEmpty(for person: ID<Person>, on connection: Connection) throws -> Bool {
    try connection.row("SELECT 1 FROM \(table) WHERE person = \(person) LIMIT 1") { _ in } == nil
  }

  func open(
    _ number: Int64, in work: Work
  ) throws -> IndexChunk {
    try IndexChunk(opened(number, in: work))
  }

  func opened(
    _ number: Int64, in work: Work
  ) throws -> [UInt8] {
    let sealed = try sealed(number, of: work.keys.person, on: work)
    guard let sealed else { throw DecodingFailure() }
    return try work.keys.open(sealed, as: name, row: number)
  }

  func sealed(
    _ number: Int64, of person: ID<Person>, on connection: Connection
  ) throws -> Sealed? {
    try connection.row(
      "SELECT sealed FROM \(table) WHERE person = \(person) AND chunk = \(number)"
    ) { $0.sealed(0) }
  }

  func store(
    _ chunk: IndexChunk, as number: Int64, in work: Work
  ) throws {
    try store(chunk.bytes, as: number, count: chunk.items.count, in: work)
  }

  func remove(_ number: Int64, in work: Work) throws {
    try work.run(
      "DELETE FROM \(table) WHERE person = \(work.keys.person) AND chunk = \(number)")
  }

  func store(
    _ directory: IndexDirectory, in work: Work
  ) throws {
    try store(directory.bytes, as: 0, count: directory.total, in: work)
  }

  private func store(
    _ bytes: [UInt8], as number: Int64, count: Int, in work: Work
  ) throws {
    let sealed = try work.keys.seal(bytes, as: name, row: number)
    try work.run(
      """
      INSERT INTO \(table) (person, chunk, entries, sealed)
      VALUES (\(work.keys.person), \(number), \(count), \(sealed))
      ON CONFLICT (person, chunk) DO UPDATE SET entries = excluded.entries, sealed = excluded.sealed
      """)
  }
}
