extension Records {
  /// Returns these records' part of "Recently deleted". A restored record is at `path`, in which
  /// `{id}` is its number.
  public func trash(leadingTo path: Path) -> Trash {
    var trash = Trash(
      kind: name.description, list: deleted,
      restore: { number, work in
        try restore(ID(number), in: work)
        return path.filled(with: ["id": String(number)])
      },
      purge: purge, purgeAll: purgeAll(before:on:))
    trash.restored = key("delete.restored")
    return trash
  }

  /// Returns a deleted record that can still be restored; nil for any other id.
  func findDeleted(
    _ id: ID<Record>, in work: Work
  ) throws -> Record? {
    try record(id, where: "deleted_at IS NOT NULL AND \(condition)", in: work)
  }

  @Sendable
  private func deleted(in work: Work) throws -> [Trash.Item] {
    let rows: [(id: ID<Record>, deletedAt: Instant)] = try work.rows(
      """
      SELECT \(column), deleted_at FROM \(table)
      WHERE person = \(work.keys.person) AND deleted_at IS NOT NULL AND \(condition)
      ORDER BY deleted_at DESC, \(column) DESC
      """
    ) { ($0.id(0), $0.instant(1)) }
    return try rows.map { row in
      let record = try open(row.id, in: work)
      var item = Trash.Item(
        id: row.id.rawValue, title: title(record), deletedAt: row.deletedAt)
      item.words = naming?.name(record)
      return item
    }
  }

  private func restore(_ id: ID<Record>, in work: Work) throws {
    let count = try work.runCounting(
      """
      UPDATE \(table) SET deleted_at = NULL
      WHERE \(column) = \(id) AND person = \(work.keys.person) AND deleted_at IS NOT NULL
        AND \(condition)
      """)
    guard count == 1 else { throw Refusal.notFound }
    try index.put(entry(try open(id, in: work), id), in: work)
  }

  @Sendable
  private func purge(_ number: Int64, in work: Work) throws {
    let count = try work.runCounting(
      """
      DELETE FROM \(table)
      WHERE \(column) = \(number) AND person = \(work.keys.person) AND deleted_at IS NOT NULL
        AND \(condition)
      """)
    guard count == 1 else { throw Refusal.notFound }
  }

  @Sendable
  private func purgeAll(before: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM \(table) WHERE deleted_at < \(before) AND \(condition)")
  }
}
