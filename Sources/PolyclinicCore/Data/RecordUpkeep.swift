extension Records {
  /// The index as what `polyclinic check` looks after: it stands for all records that are not deleted,
  /// and no others.
  public var derived: Derived { derived(as: "index") }

  /// As ``derived``, in a module with several kinds of records.
  public func derived(as name: StaticString) -> Derived {
    Derived(
      name,
      isSound: { keys, connection in
        try index.stands(for: listed(by: keys, on: connection), by: keys, on: connection)
      },
      rebuild: { keys, connection in
        let entries = try listed(by: keys, on: connection).map {
          entry(try read($0, keys, connection), $0)
        }
        try index.rebuild(entries, by: keys, on: connection)
      })
  }

  /// A person's copy: all records by their table's name, each in the field names of the page, deleted
  /// ones with the day they were deleted.
  public var export: PersonalData.Export {
    { keys, connection in
      let rows: [(id: ID<Record>, deletedAt: Instant?)] = try connection.rows(
        """
        SELECT \(column), deleted_at FROM \(table)
        WHERE person = \(keys.person) AND \(condition) ORDER BY \(column)
        """
      ) { ($0.id(0), $0.optional(1, Row.instant)) }
      let records = try rows.map { row in
        member(row.id, row.deletedAt, try read(row.id, keys, connection))
      }
      return .object([JSON.Member(name.description, .array(records))])
    }
  }

  func listed(by keys: Keys, on connection: Connection) throws -> [ID<Record>] {
    try connection.rows(
      """
      SELECT \(column) FROM \(table)
      WHERE person = \(keys.person) AND deleted_at IS NULL AND \(condition)
      ORDER BY \(column)
      """
    ) { $0.id(0) }
  }

  private func member(_ id: ID<Record>, _ deletedAt: Instant?, _ record: Record) -> JSON {
    var members = [JSON.Member("id", .integer(id.rawValue))]
    if case .object(let fields) = form.json(record) { members += fields }
    if let deletedAt {
      let day = LocalDateTime(deletedAt, in: .utc).date
      members.append(JSON.Member("deleted_on", .string(day.description)))
    }
    return .object(members)
  }
}
