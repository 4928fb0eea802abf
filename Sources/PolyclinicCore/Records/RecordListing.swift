extension Records {
  /// Calls `body` with each record that is not deleted, opened one by one, in the order of their
  /// creation.
  public func forEach(
    in work: Work, _ body: (ID<Record>, Record) throws -> Void
  ) throws {
    for id in try listed(in: work) {
      try body(id, open(id, in: work))
    }
  }
}
