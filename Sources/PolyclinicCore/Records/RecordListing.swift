extension Records {
  /// Calls `body` with each record that is not deleted, in the order of their creation. One
  /// statement reads them all, and one record is in memory at a time.
  public func forEach(
    in work: Work, _ body: (ID<Record>, Record) throws -> Void
  ) throws {
    try read(
      "person = \(work.keys.person) AND deleted_at IS NULL AND \(condition)", work, body)
  }

  /// Returns the person's records above `after` in ascending order of their numbers, at most
  /// `limit`, without deleted records.
  public func page(
    after: Int64, limit: Int, in work: Work
  ) throws -> [(id: ID<Record>, record: Record)] {
    var found: [(id: ID<Record>, record: Record)] = []
    try read(
      """
      \(column) IN (
        SELECT \(column) FROM \(table)
        WHERE person = \(work.keys.person) AND \(column) > \(after) AND deleted_at IS NULL
          AND \(condition)
        ORDER BY \(column) LIMIT \(limit))
      """, work
    ) { found.append(($0, $1)) }
    return found
  }
}
