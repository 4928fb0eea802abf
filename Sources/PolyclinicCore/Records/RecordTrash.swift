extension Records {
  /// Returns these records' part of "Recently deleted". A restored record is at `path`, in which
  /// `{id}` is its number.
  public func trash(leadingTo path: Path) -> Trash {
    var trash = Trash(
      kind: name.description, list: deleted,
      restore: { number, keys, connection in
        try restore(ID(number), by: keys, on: connection)
        return path.filled(with: ["id": String(number)])
      },
      purge: purge, purgeAll: purgeAll(before:on:))
    trash.restored = key("delete.restored")
    return trash
  }

  /// Returns a deleted record that can still be restored; nil for any other id.
  func findDeleted(
    _ id: ID<Record>, by keys: Keys, on connection: Connection
  ) throws -> Record? {
    try read(
      id, "person = \(keys.person) AND deleted_at IS NOT NULL AND \(condition)", keys, connection)
  }

  @Sendable
  private func deleted(by keys: Keys, on connection: Connection) throws -> [Trash.Item] {
    let rows: [(id: ID<Record>, deletedAt: Instant)] = try connection.rows(
      """
      SELECT \(column), deleted_at FROM \(table)
      WHERE person = \(keys.person) AND deleted_at IS NOT NULL AND \(condition)
      ORDER BY deleted_at DESC, \(column) DESC
      """
    ) { ($0.id(0), $0.instant(1)) }
    return try rows.map { row in
      let record = try open(row.id, by: keys, on: connection)
      return Trash.Item(
        id: row.id.rawValue, title: title(record), words: naming?.name(record),
        deletedAt: row.deletedAt)
    }
  }

  private func restore(_ id: ID<Record>, by keys: Keys, on connection: Connection) throws {
    let count = try connection.run(
      """
      UPDATE \(table) SET deleted_at = NULL
      WHERE \(column) = \(id) AND person = \(keys.person) AND deleted_at IS NOT NULL
        AND \(condition)
      """)
    guard count == 1 else { throw Refusal.notFound }
    try index.put(entry(try open(id, by: keys, on: connection), id), by: keys, on: connection)
  }

  @Sendable
  private func purge(_ number: Int64, by keys: Keys, on connection: Connection) throws {
    let count = try connection.run(
      """
      DELETE FROM \(table)
      WHERE \(column) = \(number) AND person = \(keys.person) AND deleted_at IS NOT NULL
        AND \(condition)
      """)
    guard count == 1 else { throw Refusal.notFound }
  }

  @Sendable
  private func purgeAll(before: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM \(table) WHERE deleted_at < \(before) AND \(condition)")
  }
}
