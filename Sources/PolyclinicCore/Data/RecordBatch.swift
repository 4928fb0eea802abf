/// Many records at once.
extension Records {
  /// Stores new records, in any order, and puts all of them into the index in one go: thousands cost
  /// little more than their rows.
  public func insert(
    _ records: [Record], at now: Instant, by keys: Keys, on connection: Connection
  ) throws {
    let entries = try records.map { record in
      let id: ID<Record> = try connection.insert(
        """
        INSERT INTO \(table) (person, created_at) VALUES (\(keys.person), \(now))
        RETURNING \(column)
        """)
      try write(record, id, keys, connection)
      return entry(record, id)
    }
    try index.put(entries, by: keys, on: connection)
  }

  /// All that are not deleted, in the order in which they were made.
  public func all(by keys: Keys, on connection: Connection) throws -> [(ID<Record>, Record)] {
    try listed(by: keys, on: connection).map { ($0, try read($0, keys, connection)) }
  }
}
