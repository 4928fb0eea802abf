/// The records of one kind that people keep: each is one person's, stands in that person's
/// ``SealedIndex``, and can be taken back for thirty days after it was deleted.
///
/// Their table has a column for the number, and `person`, `created_at` and `deleted_at`; what they say
/// stands sealed, in a column `sealed` of that table or in tables of their own.
public struct Records<Entry: SealedEntry>: Sendable where Entry.Record: Sendable {
  /// What is kept.
  public typealias Record = Entry.Record
  /// Opens the record with that number, deleted or not. Its row was looked up before, and is the person's.
  public typealias Read = @Sendable (ID<Record>, Keys, Connection) throws -> Record
  /// Stores a record under its number, in place of what was stored. The row of the record is there already,
  /// also for a new one, with its person and the time at which it was made.
  public typealias Write = @Sendable (Record, ID<Record>, Keys, Connection) throws -> Void

  /// What lists read of them.
  public let index: SealedIndex<Entry>
  let name: StaticString
  /// How its records are spoken of, where that depends on the language.
  var naming: Naming?
  let table: SQL
  /// Which rows of the table are records of this kind.
  let condition: SQL
  /// Where the number stands.
  let column: SQL
  let form: Form<Record>
  let title: @Sendable (Record) -> String
  let entry: @Sendable (Record, ID<Record>) -> Entry
  let read: Read
  let write: Write

  /// Records that stand in several tables, which the module's own `read` and `write` know.
  ///
  /// `id` is the column of the number, and `title` what the person calls a record. `where` tells its
  /// rows from those of another kind in the same table.
  public init(
    _ table: StaticString, id: StaticString, where condition: SQL = "1 = 1", form: Form<Record>,
    index: SealedIndex<Entry>,
    title: @escaping @Sendable (Record) -> String,
    entry: @escaping @Sendable (Record, ID<Record>) -> Entry,
    read: @escaping Read, write: @escaping Write
  ) {
    name = table
    self.table = SQL(stringLiteral: table)
    self.condition = condition
    column = SQL(stringLiteral: id)
    self.form = form
    self.index = index
    self.title = title
    self.entry = entry
    self.read = read
    self.write = write
  }

  /// Records that stand each in one row, whole in the column `sealed`; see ``schema``.
  ///
  /// `alongside` runs in the same transaction whenever a record was stored, by a page, a program or an
  /// import. It writes the plain columns that a job reads, because a job cannot open what is sealed.
  public init(
    _ table: StaticString, id: StaticString, where condition: SQL = "1 = 1",
    sealed slot: Slot<Record>, index: SealedIndex<Entry>,
    title: @escaping @Sendable (Record) -> String,
    entry: @escaping @Sendable (Record, ID<Record>) -> Entry,
    alongside: @escaping Write = { _, _, _, _ in }
  ) where Record: Resealable {
    let (rows, column) = (SQL(stringLiteral: table), SQL(stringLiteral: id))
    self.init(
      table, id: id, where: condition, form: slot.form, index: index, title: title, entry: entry,
      read: { id, keys, connection in
        let record = try connection.row("SELECT sealed FROM \(rows) WHERE \(column) = \(id)") {
          try slot.open($0.sealed(0), row: id, by: keys)
        }
        guard let record else { throw DecodingFailure() }
        return record
      },
      write: { record, id, keys, connection in
        let sealed = try slot.seal(record, row: id, by: keys)
        try connection.run("UPDATE \(rows) SET sealed = \(sealed) WHERE \(column) = \(id)")
        try alongside(record, id, keys, connection)
      })
  }

  /// What a migration runs to make the table of records that stand each in one row, and their index.
  /// Like any migration's, its text never changes.
  public var schema: [SQL] {
    [
      // What is sealed is bound to the row's id: it is NULL until the row has one.
      """
      CREATE TABLE \(table) (
        \(column) \(.identity), person \(.person), created_at \(.integer) NOT NULL,
        deleted_at \(.integer), sealed \(.bytes)
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

  /// One record of the person whose keys these are; nil for an unknown id, for somebody else's, and
  /// for a deleted one.
  public func find(
    _ id: ID<Record>, by keys: Keys, on connection: Connection
  ) throws -> Record? {
    let isThere = try connection.integer(
      """
      SELECT 1 FROM \(table)
      WHERE \(column) = \(id) AND person = \(keys.person) AND deleted_at IS NULL
        AND \(condition)
      """)
    return isThere == nil ? nil : try read(id, keys, connection)
  }

  /// Stores a new record and puts it into its place in the index.
  public func insert(
    _ record: Record, at now: Instant, by keys: Keys, on connection: Connection
  ) throws -> ID<Record> {
    let id = try insertUnlisted(record, at: now, by: keys, on: connection)
    try index.put(entry(record, id), by: keys, on: connection)
    return id
  }

  /// Stores many new records, and puts them into the index in one go: what a file brings. Their
  /// numbers are in the order of the records.
  @discardableResult
  public func insert(
    contentsOf records: [Record], at now: Instant, by keys: Keys, on connection: Connection
  ) throws -> [ID<Record>] {
    let entries = try records.map { record in
      entry(record, try insertUnlisted(record, at: now, by: keys, on: connection))
    }
    try index.put(contentsOf: entries, by: keys, on: connection)
    return entries.map(\.id)
  }

  private func insertUnlisted(
    _ record: Record, at now: Instant, by keys: Keys, on connection: Connection
  ) throws -> ID<Record> {
    let id: ID<Record> = try connection.insert(
      """
      INSERT INTO \(table) (person, created_at) VALUES (\(keys.person), \(now))
      """)
    try write(record, id, keys, connection)
    return id
  }

  /// Stores a record in place of the one that `id` names; throws ``Refusal/notFound`` where ``find``
  /// returns nil for it.
  public func replace(
    _ id: ID<Record>, with record: Record, by keys: Keys, on connection: Connection
  ) throws {
    guard let stored = try find(id, by: keys, on: connection) else { throw Refusal.notFound }
    try write(record, id, keys, connection)
    try index.replace(entry(stored, id), with: entry(record, id), by: keys, on: connection)
  }

  /// Stores many records in place of those that their ids name, and changes the index in one go;
  /// throws ``Refusal/notFound`` where ``find`` returns nil for one of them.
  public func replace(
    contentsOf records: [(id: ID<Record>, record: Record)], by keys: Keys,
    on connection: Connection
  ) throws {
    let changes = try records.map { id, record in
      guard let stored = try find(id, by: keys, on: connection) else { throw Refusal.notFound }
      try write(record, id, keys, connection)
      return (old: entry(stored, id), new: entry(record, id))
    }
    try index.replace(contentsOf: changes, by: keys, on: connection)
  }

  /// Takes a record out of the list, not yet out of the database; throws ``Refusal/notFound`` where
  /// ``find`` returns nil for it.
  public func delete(
    _ id: ID<Record>, at now: Instant, by keys: Keys, on connection: Connection
  ) throws {
    guard let record = try find(id, by: keys, on: connection) else { throw Refusal.notFound }
    try connection.run("UPDATE \(table) SET deleted_at = \(now) WHERE \(column) = \(id)")
    try index.remove(entry(record, id), by: keys, on: connection)
  }
}
