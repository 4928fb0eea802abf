extension Records {
  /// Opens all that are not deleted, one by one, in the order in which they were made.
  public func forEach(
    by keys: Keys, on connection: Connection, _ body: (ID<Record>, Record) throws -> Void
  ) throws {
    for id in try listed(by: keys, on: connection) { try body(id, read(id, keys, connection)) }
  }
}
