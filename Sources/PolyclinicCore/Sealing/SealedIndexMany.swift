extension SealedIndex {
  /// Inserts many new entries at their positions. Writes each affected chunk once, so that
  /// thousands of entries cost little more than one. Throws like ``put(_:in:)`` if there is no
  /// room for all.
  public func put(contentsOf entries: [Entry], in work: Work) throws {
    try change(takingOut: [], puttingIn: entries, in: work)
  }

  /// Replaces the entries of many changed records.
  public func replace(
    contentsOf changes: [(old: Entry, new: Entry)], in work: Work
  ) throws {
    if changes.isEmpty { return }
    let moving = changes.filter { encoded($0.old) != encoded($0.new) }
    if moving.isEmpty { return try renewVersion(in: work) }
    try change(takingOut: Set(moving.map(\.old.id)), puttingIn: moving.map(\.new), in: work)
  }

  private func change(
    takingOut gone: Set<ID<Entry.Record>>, puttingIn entries: [Entry], in work: Work
  ) throws {
    if gone.isEmpty && entries.isEmpty { return }
    var directory = try directory(in: work)
    try directory.requireRoom(for: entries.count - gone.count)
    var coming = entries.sorted(by: precedes)[...]
    let known = directory.chunks
    directory.chunks = []
    /// Stores a chunk of any size behind those in the directory, in as many pieces as necessary. The
    /// first piece keeps the chunk's number.
    func store(_ chunk: IndexChunk, inPlaceOf number: Int64?) throws {
      var number = number
      for piece in chunk.pieces where !piece.items.isEmpty {
        let place = number ?? directory.takeNumber()
        number = nil
        directory.chunks.append((place, piece.items.count))
        try self.store(piece, as: place, in: work)
      }
      if let number { try remove(number, in: work) }
    }
    var next = try known.first.map { try open($0.number, in: work) }
    for (place, described) in known.enumerated() {
      guard let chunk = next else { break }
      next = try known.dropFirst(place + 1).first.map {
        try open($0.number, in: work)
      }
      let bound = try next?.items.first.map(decoded)
      let share = coming.prefix { entry in bound.map { precedes(entry, $0) } ?? true }
      coming = coming.dropFirst(share.count)
      let merged = try merged(chunk, without: gone, with: share)
      if share.isEmpty && merged.items.count == chunk.items.count {
        directory.chunks.append(described)
      } else {
        try store(merged, inPlaceOf: described.number)
      }
    }
    if known.isEmpty {
      try store(IndexChunk(items: coming.map(encoded)), inPlaceOf: nil)
    }
    try self.store(directory, in: work)
  }

  /// Returns the chunk without the removed entries and with the new ones, in order.
  private func merged(
    _ chunk: IndexChunk, without gone: Set<ID<Entry.Record>>, with share: ArraySlice<Entry>
  ) throws -> IndexChunk {
    var items: [ArraySlice<UInt8>] = []
    items.reserveCapacity(chunk.items.count + share.count)
    var coming = share
    for item in chunk.items {
      let entry = try decoded(item)
      if gone.contains(entry.id) { continue }
      while let first = coming.first, precedes(first, entry) {
        items.append(encoded(first))
        coming.removeFirst()
      }
      items.append(item)
    }
    return IndexChunk(items: items + coming.map(encoded))
  }
}
