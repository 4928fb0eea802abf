/// Changes of an index, in the transaction of the record.
extension SealedIndex {
  /// Inserts a new entry at its position. Throws ``Refusal/conflict(_:)`` if the person already has
  /// the maximum number of entries.
  public func put(_ entry: Entry, in work: Work) throws {
    var change = try Change(of: self, in: work)
    try change.put(entry)
    try change.store()
  }

  /// Removes an entry; does nothing if it is not there.
  ///
  /// Searches its position first, and then all chunks, because another release may have used
  /// another order.
  public func remove(_ entry: Entry, in work: Work) throws {
    var change = try Change(of: self, in: work)
    if try change.remove(entry) { try change.store() }
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
    var change = try Change(of: self, in: work)
    _ = try change.remove(old)
    try change.put(new)
    try change.store()
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
}

extension SealedIndex {
  /// A change of single entries, which stores each affected chunk once.
  private struct Change {
    private let index: SealedIndex
    private let work: Work
    private var directory: IndexDirectory
    /// The changed chunks by their numbers. An empty one is deleted.
    private var changed: [Int64: IndexChunk] = [:]

    init(of index: SealedIndex, in work: Work) throws {
      (self.index, self.work) = (index, work)
      directory = try index.directory(in: work)
    }

    mutating func put(_ entry: Entry) throws {
      try directory.requireRoom(for: 1)
      let place = try place(of: entry)
      var chunk = try place.map { try open(directory.chunks[$0].number) } ?? IndexChunk()
      chunk.items.insert(index.encoded(entry), at: try position(of: entry, in: chunk))
      var number = place.map { directory.chunks[$0].number }
      var described: [(number: Int64, count: Int)] = []
      for piece in chunk.pieces {
        let own = number ?? directory.takeNumber()
        number = nil
        described.append((own, piece.items.count))
        changed[own] = piece
      }
      let replaced = place.map { $0..<$0 + 1 } ?? 0..<0
      directory.chunks.replaceSubrange(replaced, with: described)
    }

    /// Returns false if the entry is not there.
    mutating func remove(_ entry: Entry) throws -> Bool {
      let likely = try place(of: entry)
      let places = (likely.map { [$0] } ?? []) + directory.chunks.indices.filter { $0 != likely }
      for place in places {
        let number = directory.chunks[place].number
        var chunk = try open(number)
        let position = try chunk.items.firstIndex { try index.decoded($0).id == entry.id }
        guard let position else { continue }
        chunk.items.remove(at: position)
        changed[number] = chunk
        directory.chunks[place].count = chunk.items.count
        if chunk.items.isEmpty { directory.chunks.remove(at: place) }
        return true
      }
      return false
    }

    func store() throws {
      for (number, chunk) in changed where chunk.items.isEmpty {
        try index.remove(number, in: work)
      }
      let kept = changed.filter { !$0.value.items.isEmpty }.sorted { $0.key < $1.key }
      try index.store(
        [(0, directory.bytes, directory.total)]
          + kept.map { ($0.key, $0.value.bytes, $0.value.items.count) },
        in: work)
    }

    private func open(_ number: Int64) throws -> IndexChunk {
      try changed[number] ?? index.open(number, in: work)
    }

    private func first(of number: Int64) throws -> Entry {
      if let item = changed[number]?.items.first { return try index.decoded(item) }
      var reader = try index.reader(of: number, in: work)
      return try index.decoded(reader.bytes())
    }

    /// Returns the place of the last chunk that does not begin behind the entry; nil if there is no
    /// chunk.
    private func place(of entry: Entry) throws -> Int? {
      if directory.chunks.isEmpty { return nil }
      var (low, high) = (0, directory.chunks.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if try index.precedes(entry, first(of: directory.chunks[middle].number)) {
          high = middle
        } else {
          low = middle
        }
      }
      return low
    }

    /// Returns the position of the entry in the chunk, or the position at which to insert it.
    private func position(of entry: Entry, in chunk: IndexChunk) throws -> Int {
      var (low, high) = (0, chunk.items.count)
      while low < high {
        let middle = (low + high) / 2
        if index.precedes(try index.decoded(chunk.items[middle]), entry) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low
    }
  }
}
