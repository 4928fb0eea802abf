extension Records {
  /// Calls `body` with each record that is not deleted, opened one by one, in the order of their
  /// creation.
  public func forEach(
    by keys: Keys, on connection: Connection, _ body: (ID<Record>, Record) throws -> Void
  ) throws {
    for id in try listed(by: keys, on: connection) {
      try body(id, open(id, by: keys, on: connection))
    }
  }
}
