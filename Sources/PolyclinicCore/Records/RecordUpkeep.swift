extension Records {
  /// The index for `polyclinic check`. It must list all records that are not deleted, and no
  /// others.
  public var rebuildableIndex: RebuildableIndex { rebuildableIndex(as: "index") }

  /// Returns the index like ``rebuildableIndex``, for a module with several kinds of records.
  public func rebuildableIndex(as name: StaticString) -> RebuildableIndex {
    RebuildableIndex(
      name,
      isSound: { work in
        try index.stands(for: listed(in: work), in: work)
      },
      rebuild: { work in
        var entries: [Entry] = []
        try forEach(in: work) { entries.append(entry($1, $0)) }
        try index.rebuild(entries, in: work)
      })
  }

  /// Exports all records under their table's name, with the field names of the page. A deleted
  /// record includes the day of its deletion.
  public var export: PersonalData.Export {
    { work, copy in
      try copy.writeArray(name.description) { try exportElements(work, $0) }
    }
  }

  /// Exports the records of ``export`` as elements of an array, for a module that names the array
  /// itself.
  public var exportElements: PersonalData.Export { exportElements { fields, _ in fields } }

  /// Exports like ``exportElements``, with other members in place of those that the form has for a
  /// record.
  public func exportElements(
    _ members: @escaping @Sendable ([JSON.Member], Record) -> [JSON.Member]
  ) -> PersonalData.Export {
    { work, records in
      try exportElements(in: work, to: records) { _, record, fields in
        members(fields, record)
      }
    }
  }

  /// Exports like ``exportElements``, with members that the module reads from other tables too.
  package func exportElements(
    in work: Work, to records: JSON.Writer,
    _ members: (ID<Record>, Record, [JSON.Member]) throws -> [JSON.Member]
  ) throws {
    try work.forEach(
      """
      SELECT \(column), deleted_at FROM \(table)
      WHERE person = \(work.keys.person) AND \(condition) ORDER BY \(column)
      """
    ) { row in
      let id: ID<Record> = row.id(0)
      let record = try open(id, in: work)
      var all = [JSON.Member("id", .integer(id.rawValue))]
      if case .object(let fields) = form.json(record) { all += try members(id, record, fields) }
      if let deletedAt = row.optional(1, Row.instant) {
        let day = LocalDateTime(deletedAt, in: .utc).date
        all.append(JSON.Member("deleted_on", .string(day.description)))
      }
      try records.append(.object(all))
    }
  }

  func listed(in work: Work) throws -> [ID<Record>] {
    try work.rows(
      """
      SELECT \(column) FROM \(table)
      WHERE person = \(work.keys.person) AND deleted_at IS NULL AND \(condition)
      ORDER BY \(column)
      """
    ) { $0.id(0) }
  }
}
