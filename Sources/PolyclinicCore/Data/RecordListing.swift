extension Records {
  /// All that are not deleted, in the order in which they were made.
  public func all(by keys: Keys, on connection: Connection) throws -> [(ID<Record>, Record)] {
    try listed(by: keys, on: connection).map { ($0, try read($0, keys, connection)) }
  }
}
