extension Records {
  /// A batch of new and changed records of one person, sealed but not stored yet.
  public struct Batch: Sendable {
    fileprivate let statements: [StatementList.Statement]
    fileprivate let new: [Entry]
    fileprivate let changed: [(old: Entry, new: Entry)]
  }

  /// Seals records before the transaction that stores them, so that other writers do not wait for
  /// it.
  ///
  /// - The numbers of new records are reserved in a short transaction of their own.
  /// - The stored records must not change until ``store(_:by:on:)``; see
  ///   ``SealedIndex/version(by:on:)``.
  /// - `alongside` writes a record's rows in other tables. Like ``Write``, it must not read.
  /// - Throws ``Refusal/notFound`` if ``find(_:by:on:)`` returns nil for a changed record.
  public func seal(
    new: [Record], changed: [(id: ID<Record>, record: Record)] = [], at now: Instant, by keys: Keys,
    in database: any Database, alongside: Write = { _, _, _, _ in }
  ) throws -> Batch {
    let list = StatementList()
    let connection = Connection(list)
    let first = try new.isEmpty ? 0 : reserve(new.count, at: now, by: keys, in: database)
    let entries = try new.enumerated().map { place, record in
      let id = ID<Record>(first + Int64(place))
      let _: ID<Record> = try connection.insert(
        """
        INSERT INTO \(table) (\(column), person, created_at)
        VALUES (\(id), \(keys.person), \(now))
        """)
      try write(record, id, keys, connection)
      try alongside(record, id, keys, connection)
      return entry(record, id)
    }
    let changes = try database.read { stored in
      try changed.map { id, record in
        guard let old = try find(id, by: keys, on: stored) else { throw Refusal.notFound }
        try write(record, id, keys, connection)
        try alongside(record, id, keys, connection)
        return (old: entry(old, id), new: entry(record, id))
      }
    }
    return Batch(statements: list.statements, new: entries, changed: changes)
  }

  /// Stores a sealed batch, and updates the index once.
  public func store(_ batch: Batch, by keys: Keys, on connection: Connection) throws {
    for statement in batch.statements { try statement.run(on: connection) }
    try index.put(contentsOf: batch.new, by: keys, on: connection)
    try index.replace(contentsOf: batch.changed, by: keys, on: connection)
  }

  /// Reserves consecutive numbers that no other record will ever have, and returns the first. The
  /// engine assigns no number below the highest that a row has had.
  private func reserve(
    _ count: Int, at now: Instant, by keys: Keys, in database: any Database
  ) throws -> Int64 {
    try database.write { connection in
      let first: ID<Record> = try connection.insert(
        "INSERT INTO \(table) (person, created_at) VALUES (\(keys.person), \(now))")
      let last = ID<Record>(first.rawValue + Int64(count - 1))
      if first != last {
        try connection.run(
          """
          INSERT INTO \(table) (\(column), person, created_at)
          VALUES (\(last), \(keys.person), \(now))
          """)
      }
      try connection.run("DELETE FROM \(table) WHERE \(column) IN (\(first), \(last))")
      return first.rawValue
    }
  }
}

/// Collects the statements of records that are being sealed, instead of running them.
private final class StatementList: Connection.StatementRunner {
  struct Statement: Sendable {
    let text: SQL
    let isNewRecord: Bool

    func run(on connection: Connection) throws {
      if isNewRecord {
        let _: ID<Never> = try connection.insert(text)
      } else {
        try connection.run(text)
      }
    }
  }

  private(set) var statements: [Statement] = []

  func run(_ statement: SQL, _ body: (Row) throws -> Void) throws -> Int {
    statements.append(Statement(text: statement, isNewRecord: false))
    return 0
  }

  func insert(_ statement: SQL) throws -> Int64 {
    statements.append(Statement(text: statement, isNewRecord: true))
    return 0
  }
}
