/// Changes of an index, in the transaction of the record.
extension SealedIndex {
  /// Inserts a new entry at its position. Throws ``Refusal/conflict(_:)`` if the person already has
  /// the maximum number of entries.
  public func put(_ entry: Entry, in work: Work) throws {
    var directory = try directory(in: work)
    try directory.requireRoom(for: 1)
    let found = try place(of: entry, in: directory, in: work)
    let place = found?.place
    var chunk = try found.map { try IndexChunk($0.opened) } ?? IndexChunk()
    chunk.items.insert(encoded(entry), at: try position(of: entry, in: chunk))
    let pieces = chunk.pieces
    let number = place.map { directory.chunks[$0].number } ?? directory.takeNumber()
    var described = [(number: number, count: pieces[0].items.count)]
    try store(pieces[0], as: number, in: work)
    for piece in pieces.dropFirst() {
      let number = directory.takeNumber()
      described.append((number, piece.items.count))
      try store(piece, as: number, in: work)
    }
    let replaced = place.map { $0..<$0 + 1 } ?? 0..<0
    directory.chunks.replaceSubrange(replaced, with: described)
    try store(directory, in: work)
  }

  /// Removes an entry; does nothing if it is not there.
  ///
  /// Searches its position first, and then all chunks, because another release may have used
  /// another order.
  public func remove(_ entry: Entry, in work: Work) throws {
    var directory = try directory(in: work)
    let likely = try place(of: entry, in: directory, in: work)?.place
    let places = (likely.map { [$0] } ?? []) + directory.chunks.indices.filter { $0 != likely }
    for place in places {
      let number = directory.chunks[place].number
      var chunk = try open(number, in: work)
      let position = try chunk.items.firstIndex { try decoded($0).id == entry.id }
      guard let position else { continue }
      chunk.items.remove(at: position)
      if chunk.items.isEmpty {
        directory.chunks.remove(at: place)
        try remove(number, in: work)
      } else {
        directory.chunks[place].count = chunk.items.count
        try store(chunk, as: number, in: work)
      }
      return try store(directory, in: work)
    }
  }

  /// Returns bytes that differ after each change of the person's records; empty before the first
  /// record. Data that was read together with them is valid for as long as they are the same.
  ///
  /// They are the sealed directory, which has a new nonce each time that it is stored.
  public func version(in work: Work) throws -> [UInt8] {
    try sealedDirectory(in: work)?.bytes ?? []
  }

  /// Stores the directory again, so that ``version(in:)`` also differs after a change that no
  /// entry shows.
  func renewVersion(in work: Work) throws {
    try store(directory(in: work), in: work)
  }

  /// Replaces the entry of a changed record.
  public func replace(
    _ old: Entry, with new: Entry, in work: Work
  ) throws {
    if encoded(old) == encoded(new) { return try renewVersion(in: work) }
    try remove(old, in: work)
    try put(new, in: work)
  }

  /// Rebuilds the person's index from all entries, in any order.
  public func rebuild(_ entries: [Entry], in work: Work) throws {
    try work.run("DELETE FROM \(table) WHERE person = \(work.keys.person)")
    var directory = IndexDirectory()
    let sorted = entries.sorted(by: precedes).map(encoded)
    for start in stride(from: 0, to: sorted.count, by: IndexChunk.size) {
      let chunk = IndexChunk(items: Array(sorted[start...].prefix(IndexChunk.size)))
      let number = directory.takeNumber()
      directory.chunks.append((number, chunk.items.count))
      try store(chunk, as: number, in: work)
    }
    try store(directory, in: work)
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

  /// Returns the last chunk that does not begin behind the entry, opened; nil if there is no chunk.
  private func place(
    of entry: Entry, in directory: IndexDirectory, in work: Work
  ) throws -> (place: Int, opened: [UInt8])? {
    if directory.chunks.isEmpty { return nil }
    var (low, high) = (0, directory.chunks.count)
    var lowest: [UInt8]?
    while high - low > 1 {
      let middle = (low + high) / 2
      let opened = try opened(directory.chunks[middle].number, in: work)
      var reader = try IndexChunk.reader(of: opened)
      if precedes(entry, try decoded(reader.bytes())) {
        high = middle
      } else {
        (low, lowest) = (middle, opened)
      }
    }
    return (low, try lowest ?? opened(directory.chunks[low].number, in: work))
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
}
