/// Rows that belong to records and come and go by themselves, such as the doses taken of a
/// medicine.
///
/// They stand in a table of their own. Each is sealed for the person of its record, and deleted
/// with the record.
public struct SealedRows<Record: Sendable, Draft: Resealable>: Sendable {
  /// Writes the plain columns of a new row, which has its number, its record and its person.
  public typealias Write = @Sendable (Draft, ID<Draft>, Work) throws -> Void

  private let name: StaticString
  private let table: SQL
  private let sealedColumn: SealedColumn<Draft>
  private let records: SQL
  /// The column of the record's number, which has the same name in both tables.
  private let column: SQL
  private let find: @Sendable (ID<Record>, Work) throws -> Record?
  private var alongside: Write = { _, _, _ in }

  /// Creates rows of these records, each with the fields of `form`, sealed in the column `sealed`.
  /// The table's name must never change.
  public init<Entry>(
    _ table: StaticString, of records: Records<Entry>, form: Form<Draft>
  ) where Entry.Record == Record {
    name = table
    self.table = SQL(stringLiteral: table)
    sealedColumn = SealedColumn(of: table, form)
    self.records = records.table
    column = records.column
    find = { try records.find($0, in: $1) }
  }

  /// Returns these rows with a function that writes the plain columns that a job reads, because a
  /// job cannot open sealed data.
  public func writing(alongside: @escaping Write) -> SealedRows {
    var rows = self
    rows.alongside = alongside
    return rows
  }

  /// The migration statements that create the table. Like any migration's, their text must never
  /// change.
  public var schema: [SQL] {
    [
      """
      CREATE TABLE \(table) (
        id_row \(.identity), person \(.person), created_at \(.integer) NOT NULL,
        \(column) \(.integer) NOT NULL REFERENCES \(records) (\(column)) ON DELETE CASCADE,
        sealed \(.bytes) NOT NULL
      ) \(.strict)
      """,
      "CREATE INDEX \(table)_person ON \(table) (person)",
      "CREATE INDEX \(table)_record ON \(table) (\(column))",
    ]
  }

  /// Stores a new row of a record. Throws ``Refusal/notFound`` if the person has no such record.
  @discardableResult
  public func insert(
    _ row: Draft, of record: ID<Record>, in work: Work
  ) throws -> ID<Draft> {
    guard try find(record, work) != nil else { throw Refusal.notFound }
    return try insertUnchecked(row, of: record, in: work)
  }

  private func insertUnchecked(
    _ row: Draft, of record: ID<Record>, in work: Work
  ) throws -> ID<Draft> {
    let keys = try work.keys
    let id = try work.insert(numberedIn: table) { (id: ID<Draft>) in
      """
      INSERT INTO \(table) (id_row, person, created_at, \(column), sealed)
      VALUES (\(id), \(keys.person), \(work.now), \(record),
        \(try sealedColumn.seal(row, row: id, by: keys)))
      """
    }
    try alongside(row, id, work)
    return id
  }

  /// Returns the rows of a record with their numbers, in the order in which they were stored.
  public func rows(
    of record: ID<Record>, in work: Work
  ) throws -> [(id: ID<Draft>, row: Draft)] {
    try work.rows(
      """
      SELECT id_row, sealed FROM \(table)
      WHERE \(column) = \(record) AND person = \(work.keys.person) ORDER BY id_row
      """
    ) { row in
      let id: ID<Draft> = row.id(0)
      return (id, try sealedColumn.open(row.sealed(1), row: id, by: work.keys))
    }
  }

  /// Deletes a row for good. Throws ``Refusal/notFound`` if the record has no such row.
  public func delete(
    _ row: ID<Draft>, of record: ID<Record>, in work: Work
  ) throws {
    let count = try work.runCounting(
      """
      DELETE FROM \(table)
      WHERE id_row = \(row) AND \(column) = \(record) AND person = \(work.keys.person)
      """)
    guard count == 1 else { throw Refusal.notFound }
  }

  /// Exports all rows under their table's name, each with the number of its record as `of`.
  public var export: PersonalData.Export {
    { work, copy in
      try copy.writeArray(name.description) { rows in
        try work.forEach(
          """
          SELECT id_row, \(column), sealed FROM \(table)
          WHERE person = \(work.keys.person) ORDER BY id_row
          """
        ) { row in
          let id: ID<Draft> = row.id(0)
          let draft = try sealedColumn.open(row.sealed(2), row: id, by: work.keys)
          var members = [JSON.Member("of", .integer((row.id(1) as ID<Record>).rawValue))]
          if case .object(let fields) = sealedColumn.form.json(draft) { members += fields }
          try rows.append(.object(members))
        }
      }
    }
  }

  /// The rows as a part that `polyclinic restore --person` restores together with a record.
  public var part: Recovery.Part<Record> {
    Recovery.Part(
      content: { record, work in
        try rows(of: record, in: work).flatMap {
          sealedColumn.form.json($0.row).encoded
        }
      },
      copy: { record, source, copy, target in
        try source.forEach(
          "SELECT id_row, created_at, sealed FROM \(table) WHERE \(column) = \(record) ORDER BY id_row"
        ) { row in
          let draft = try sealedColumn.open(
            row.sealed(2), row: row.id(0) as ID<Draft>, by: source.keys)
          _ = try insertUnchecked(draft, of: copy, in: target.at(row.instant(1)))
        }
      })
  }
}
