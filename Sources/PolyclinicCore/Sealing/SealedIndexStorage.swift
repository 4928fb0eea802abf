/// The rows of an index: the directory and the chunks, sealed.
extension SealedIndex {
  @usableFromInline
  func decoded(_ item: ArraySlice<UInt8>) throws -> Entry {
    var reader = ByteReader(item)
    return try codec.read(&reader)
  }

  @usableFromInline
  func directory(in work: Work) throws -> IndexDirectory {
    guard let sealed = try sealedDirectory(in: work) else { return IndexDirectory() }
    return try IndexDirectory(work.keys.open(sealed, as: name, row: 0))
  }

  /// Returns the directory; nil for an empty index. Reads the first chunk together with it, which
  /// is the only one of most people.
  func sealedDirectory(in work: Work) throws -> Sealed? {
    let person = try work.keys.person
    if let known = work.readRows[ReadRows.Key(name, of: person)] { return known }
    let rows = try work.rows(
      """
      SELECT chunk, sealed FROM \(table) WHERE person = \(person) ORDER BY chunk LIMIT 2
      """
    ) { (number: Int64($0.int(0)), sealed: $0.sealed(1)) }
    guard let first = rows.first else {
      work.readRows[ReadRows.Key(name, of: person)] = .some(nil)
      return nil
    }
    // An index whose directory was lost must not pass for an empty list.
    guard first.number == 0 else { throw DecodingFailure() }
    for row in rows { work.readRows[ReadRows.Key(name, of: person, row.number)] = row.sealed }
    return first.sealed
  }

  func open(
    _ number: Int64, in work: Work
  ) throws -> IndexChunk {
    try IndexChunk(opened(number, in: work))
  }

  func opened(
    _ number: Int64, in work: Work
  ) throws -> [UInt8] {
    let key = ReadRows.Key(name, of: try work.keys.person, number)
    if case .some(let known?) = work.readRows[key] {
      return try work.keys.open(known, as: name, row: number)
    }
    let sealed = try work.row(
      "SELECT sealed FROM \(table) WHERE person = \(work.keys.person) AND chunk = \(number)"
    ) { $0.sealed(0) }
    // Not kept: a search reads all chunks of a long list, each once.
    guard let sealed else { throw DecodingFailure() }
    return try work.keys.open(sealed, as: name, row: number)
  }

  func store(
    _ chunk: IndexChunk, as number: Int64, in work: Work
  ) throws {
    try store([(number, chunk.bytes, chunk.items.count)], in: work)
  }

  func remove(_ number: Int64, in work: Work) throws {
    work.readRows.forget(ReadRows.Key(name, of: try work.keys.person, number))
    try work.run(
      "DELETE FROM \(table) WHERE person = \(work.keys.person) AND chunk = \(number)")
  }

  func store(
    _ directory: IndexDirectory, in work: Work
  ) throws {
    try store([(0, directory.bytes, directory.total)], in: work)
  }

  /// Stores rows in one statement: the directory, whose number is 0, and chunks.
  func store(_ rows: [(number: Int64, bytes: [UInt8], entries: Int)], in work: Work) throws {
    let person = try work.keys.person
    let values: [SQL] = try rows.map { number, bytes, entries in
      work.readRows.forget(ReadRows.Key(name, of: person, number))
      let sealed = try work.keys.seal(bytes, as: name, row: number)
      return "(\(person), \(number), \(entries), \(sealed))"
    }
    try work.run(
      """
      INSERT INTO \(table) (person, chunk, entries, sealed) VALUES \(SQL(joining: values))
      ON CONFLICT (person, chunk) DO UPDATE SET entries = excluded.entries, sealed = excluded.sealed
      """)
  }
}
