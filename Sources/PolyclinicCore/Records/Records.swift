/// The records of one kind that people keep. Each belongs to one person, is listed in that person's
/// ``SealedIndex``, and can be restored for thirty days after its deletion.
///
/// Their table has a column for the number, `person`, `created_at` and `deleted_at`, and a column
/// `sealed` for their content. A module may keep parts of a record in tables of its own.
public struct Records<Entry: SealedEntry>: Sendable where Entry.Record: Sendable {
  /// The type of the records.
  public typealias Record = Entry.Record
  /// Opens the records whose rows of the table meet the condition, such as `deleted_at IS NULL`,
  /// and calls the last argument with each, in ascending order of their numbers. One statement
  /// reads them all.
  public typealias Read =
    @Sendable (SQL, Work, (ID<Record>, Record) throws -> Void) throws -> Void
  /// Writes what belongs to a record beside its content, whose row is stored already.
  public typealias Write = @Sendable (Record, ID<Record>, Work) throws -> Void

  /// The sealed index, which lists read.
  public let index: SealedIndex<Entry>
  let name: StaticString
  /// The texts about the records, if these depend on the language.
  var naming: Naming?
  let table: SQL
  /// The condition for the rows of the table that are records of this kind.
  let condition: SQL
  /// The column of the number.
  let column: SQL
  let form: Form<Record>
  let title: @Sendable (Record) -> String
  let entry: @Sendable (Record, ID<Record>) -> Entry
  let read: Read
  /// Seals the content for the column `sealed`.
  private let seal: @Sendable (Record, ID<Record>, Keys) throws -> Sealed
  let alongside: Write

  /// Creates records that are each stored in one row, sealed in the column `sealed`; see
  /// ``schema``.
  ///
  /// - `id` is the column of the number.
  /// - `where` selects these rows if the table also has records of another kind.
  /// - `title` returns the person's name for a record.
  /// - `read` also reads parts of a record from other tables. Without it, the column `sealed` is the
  ///   whole record.
  /// - `alongside` runs in the same transaction whenever a record is stored, by a page, a program or
  ///   an import. It writes the plain columns that a job reads, because a job cannot open sealed
  ///   data.
  public init(
    _ table: StaticString, id: StaticString, where condition: SQL = "1 = 1",
    sealed sealedColumn: SealedColumn<Record>, index: SealedIndex<Entry>,
    title: @escaping @Sendable (Record) -> String,
    entry: @escaping @Sendable (Record, ID<Record>) -> Entry, read: Read? = nil,
    alongside: @escaping Write = { _, _, _ in }
  ) where Record: Resealable {
    precondition(
      sealedColumn.name.description.hasPrefix("\(table)."),
      "records in \(table): the sealed column has the name of another table, \(sealedColumn.name)")
    let (rows, column) = (SQL(stringLiteral: table), SQL(stringLiteral: id))
    name = table
    self.table = rows
    self.condition = condition
    self.column = column
    form = sealedColumn.form
    self.index = index
    self.title = title
    self.entry = entry
    self.alongside = alongside
    seal = { try sealedColumn.seal($0, row: $1, by: $2) }
    self.read =
      read ?? { condition, work, body in
        let keys = try work.keys
        try work.forEach(
          "SELECT \(column), sealed FROM \(rows) WHERE \(condition) ORDER BY \(column)"
        ) {
          let id: ID<Record> = $0.id(0)
          try body(id, sealedColumn.open($0.sealed(1), row: id, by: keys))
        }
      }
  }

  /// The migration statements that create the table of records in one row each, and their index.
  /// Like any migration's, their text must never change.
  public var schema: [SQL] {
    [
      """
      CREATE TABLE \(table) (
        \(column) \(.scatteredIdentity), person \(.person), created_at \(.integer) NOT NULL,
        deleted_at \(.integer), sealed \(.bytes) NOT NULL
      ) \(.strict)
      """,
      index.schema,
      "CREATE INDEX \(table)_person ON \(table) (person)",
      """
      CREATE INDEX \(table)_deleted_of_person ON \(table) (person, deleted_at)
      WHERE deleted_at IS NOT NULL
      """,
      "CREATE INDEX \(table)_deleted_at ON \(table) (deleted_at) WHERE deleted_at IS NOT NULL",
    ]
  }

  /// Returns a record of the person who owns the keys; nil if the id is unknown, another person's,
  /// or that of a deleted record.
  public func find(
    _ id: ID<Record>, in work: Work
  ) throws -> Record? {
    try record(id, where: "deleted_at IS NULL AND \(condition)", in: work)
  }

  /// Returns those of the records that are the person's and not deleted, in one statement.
  public func find(
    _ ids: [ID<Record>], in work: Work
  ) throws -> [ID<Record>: Record] {
    var found: [ID<Record>: Record] = [:]
    try read(
      """
      \(column) IN \(list: ids) AND person = \(work.keys.person) AND deleted_at IS NULL
        AND \(condition)
      """, work
    ) { found[$0] = $1 }
    return found
  }

  /// Returns a record whose row the caller has found to be the person's, deleted or not.
  func open(_ id: ID<Record>, in work: Work) throws -> Record {
    guard let record = try record(id, where: "1 = 1", in: work) else { throw DecodingFailure() }
    return record
  }

  /// Returns the record of the person who owns the keys if its row meets the condition.
  func record(_ id: ID<Record>, where condition: SQL, in work: Work) throws -> Record? {
    var found: Record?
    try read("\(column) = \(id) AND person = \(work.keys.person) AND \(condition)", work) {
      found = $1
    }
    return found
  }

  /// Stores a new record, and adds it to the index.
  public func insert(
    _ record: Record, in work: Work
  ) throws -> ID<Record> {
    let id = try insertUnlisted(record, in: work)
    try index.put(entry(record, id), in: work)
    return id
  }

  /// Stores many new records, such as those of an import, and updates the index once. Returns their
  /// numbers in the order of the records.
  @discardableResult
  public func insert(
    contentsOf records: [Record], in work: Work
  ) throws -> [ID<Record>] {
    let entries = try records.map { record in
      entry(record, try insertUnlisted(record, in: work))
    }
    try index.put(contentsOf: entries, in: work)
    return entries.map(\.id)
  }

  private func insertUnlisted(
    _ record: Record, in work: Work
  ) throws -> ID<Record> {
    let id = try work.insert(numberedIn: table) { try insertion(of: record, as: $0, in: work) }
    try alongside(record, id, work)
    return id
  }

  /// Returns the statement that inserts the row of a new record.
  func insertion(of record: Record, as id: ID<Record>, in work: Work) throws -> SQL {
    let keys = try work.keys
    return """
      INSERT INTO \(table) (\(column), person, created_at, sealed)
      VALUES (\(id), \(keys.person), \(work.now), \(try seal(record, id, keys)))
      """
  }

  /// Stores a record in place of the stored one.
  func write(_ record: Record, _ id: ID<Record>, in work: Work) throws {
    let sealed = try seal(record, id, work.keys)
    try work.run("UPDATE \(table) SET sealed = \(sealed) WHERE \(column) = \(id)")
    try alongside(record, id, work)
  }

  /// Replaces the record with this id. Throws ``Refusal/notFound`` if ``find(_:in:)`` returns nil
  /// for it.
  public func replace(
    _ id: ID<Record>, with record: Record, in work: Work
  ) throws {
    guard let stored = try find(id, in: work) else { throw Refusal.notFound }
    try replace(entry(stored, id), with: record, in: work)
  }

  /// Replaces the record of an entry that the index has in the same transaction.
  public func replace(_ stored: Entry, with record: Record, in work: Work) throws {
    try write(record, stored.id, in: work)
    try index.replace(stored, with: entry(record, stored.id), in: work)
  }

  /// Replaces many records, and updates the index once. Throws ``Refusal/notFound`` if
  /// ``find(_:in:)`` returns nil for one of them.
  public func replace(
    contentsOf records: [(id: ID<Record>, record: Record)], in work: Work
  ) throws {
    let changes = try records.map { id, record in
      guard let stored = try find(id, in: work) else { throw Refusal.notFound }
      try write(record, id, in: work)
      return (old: entry(stored, id), new: entry(record, id))
    }
    try index.replace(contentsOf: changes, in: work)
  }

  /// Moves a record to "Recently deleted": it leaves the list but stays in the database. Throws
  /// ``Refusal/notFound`` if ``find(_:in:)`` returns nil for it.
  public func delete(
    _ id: ID<Record>, in work: Work
  ) throws {
    guard let record = try find(id, in: work) else { throw Refusal.notFound }
    try work.run("UPDATE \(table) SET deleted_at = \(work.now) WHERE \(column) = \(id)")
    try index.remove(entry(record, id), in: work)
  }
}
