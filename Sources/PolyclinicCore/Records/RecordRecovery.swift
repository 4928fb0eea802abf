extension Records {
  /// Returns the recovery of these records by `polyclinic restore --person`.
  ///
  /// - `fields` may differ between two records that are the same to their owner, such as a position
  ///   in an order.
  /// - `parts` are compared and copied too.
  public func recovery(
    _ name: StaticString, ignoring fields: Set<String> = [], parts: [Recovery.Part<Record>] = []
  ) -> Recovery {
    Recovery(name) { backup, current, manner in
      let comparison = RecordComparison(
        records: self, ignored: fields, parts: parts, backup: backup, current: current)
      var (count, missing) = try comparison.missing()
      var entries: [Entry] = []
      for (id, content) in missing {
        let outcome = try comparison.outcome(of: id, content)
        switch outcome {
        case .inTrash, .purged: count.deleted += 1
        case .changed: count.changed += 1
        }
        if manner == .store { entries.append(try comparison.bringBack(id, outcome)) }
      }
      if !entries.isEmpty {
        try index.put(contentsOf: entries, in: current)
      }
      return count
    }
  }
}

/// Finds the records of a person that are in a backup and missing now.
struct RecordComparison<Entry: SealedEntry> where Entry.Record: Sendable {
  let records: Records<Entry>
  /// The fields in which equal records may differ.
  let ignored: Set<String>
  let parts: [Recovery.Part<Entry.Record>]
  let backup: Work
  let current: Work

  /// The current state of a record that is in the backup and missing now.
  enum Outcome {
    /// It is in "Recently deleted", with the same content as in the backup.
    case inTrash
    /// It was purged, and its number is free.
    case purged
    /// It was changed: its number has other content now.
    case changed
  }

  /// Two 64-bit hashes under the random key of the process, in place of the content itself.
  struct Content: Hashable {
    let one: Int
    let other: Int
  }

  /// Returns the backup's records without a current record of the same content.
  ///
  /// Each current record matches only one record of the backup, because two equal readings are two
  /// readings.
  func missing() throws -> (count: Recovery.Count, missing: [(ID<Entry.Record>, Content)]) {
    var count = Recovery.Count()
    var present: [ID<Entry.Record>: Content] = [:]
    var unmatched: [Content: Int] = [:]
    for id in try records.listed(in: current) {
      guard let content = try content(of: id, in: current) else { continue }
      present[id] = content
      unmatched[content, default: 0] += 1
    }
    var others: [(ID<Entry.Record>, Content)] = []
    for id in try records.listed(in: backup) {
      guard let content = try content(of: id, in: backup) else {
        count.unreadable += 1
        continue
      }
      if present[id] == content {
        unmatched[content, default: 0] -= 1
        count.same += 1
      } else {
        others.append((id, content))
      }
    }
    let missing = others.filter { _, content in
      guard unmatched[content, default: 0] > 0 else { return true }
      unmatched[content, default: 0] -= 1
      return false
    }
    count.same += others.count - missing.count
    return (count, missing)
  }

  /// Returns the current state of a record that is missing.
  func outcome(of id: ID<Entry.Record>, _ content: Content) throws -> Outcome {
    let isDeleted = try current.row(
      """
      SELECT person = \(current.keys.person) AND deleted_at IS NOT NULL AND \(records.condition)
      FROM \(records.table) WHERE \(records.column) = \(id)
      """
    ) { $0.bool(0) }
    guard let isDeleted else { return .purged }
    return try isDeleted && self.content(of: id, in: current) == content ? .inTrash : .changed
  }

  /// Stores one record of the backup, and returns its index entry.
  func bringBack(_ id: ID<Entry.Record>, _ outcome: Outcome) throws -> Entry {
    let (table, column) = (records.table, records.column)
    if outcome == .inTrash {
      try current.run("UPDATE \(table) SET deleted_at = NULL WHERE \(column) = \(id)")
      return records.entry(try records.open(id, in: current), id)
    }
    let made = try backup.row(
      "SELECT created_at FROM \(table) WHERE \(column) = \(id)"
    ) { $0.instant(0) }
    guard let made else { throw DecodingFailure() }
    let record = try records.open(id, in: backup)
    let new: ID<Entry.Record> = try current.insert(
      records.insertion(of: record, as: number(for: id, outcome), in: current.at(made)))
    try records.alongside(record, new, current)
    for part in parts { try part.copy(id, backup, new, current) }
    return records.entry(record, new)
  }

  /// Returns the number for a record that is stored again: its former one if that is free, and if
  /// this database has assigned it, because the engine may still assign any other.
  private func number(for id: ID<Entry.Record>, _ outcome: Outcome) throws -> ID<Entry.Record> {
    let reserved: [ID<Entry.Record>] = try current.reserve(1, in: records.table)
    guard let next = reserved.first else { throw DecodingFailure() }
    return outcome == .purged && id < next ? id : next
  }

  /// Returns the hashes of a record's content; nil if the record cannot be opened.
  private func content(of id: ID<Entry.Record>, in side: Work) throws -> Content? {
    do {
      let record = try records.open(id, in: side)
      var bytes = compared(records.form.json(record)).encoded
      for part in parts { bytes += try part.content(id, side) }
      return Content(one: Self.hash(0, bytes), other: Self.hash(1, bytes))
    } catch is UnsealingError {
      return nil
    } catch is DecodingFailure {
      return nil
    }
  }

  private func compared(_ json: JSON) -> JSON {
    guard case .object(let members) = json else { return json }
    return .object(members.filter { !ignored.contains($0.name) })
  }

  private static func hash(_ number: Int, _ bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    hasher.combine(number)
    hasher.combine(bytes)
    return hasher.finalize()
  }
}
