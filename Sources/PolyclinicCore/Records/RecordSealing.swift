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
  /// - The numbers of new records are reserved in a short transaction of their own in `database`.
  /// - The stored records must not change until ``store(_:in:)``; see
  ///   ``SealedIndex/version(in:)``.
  /// - `alongside` writes a record's rows in other tables. Like ``Write``, it must not read.
  /// - Throws ``Refusal/notFound`` if ``find(_:in:)`` returns nil for a changed record.
  public func seal(
    new: [Record], changed: [(id: ID<Record>, record: Record)] = [], in work: Work,
    numberedIn database: any Database, alongside: Write = { _, _, _ in }
  ) throws -> Batch {
    let list = StatementList()
    let listing = work.on(Connection(list))
    let changes = try changed.map { id, record in
      guard let old = try find(id, in: work) else { throw Refusal.notFound }
      return (id: id, record: record, old: entry(old, id))
    }
    let numbers: [ID<Record>] =
      try new.isEmpty ? [] : database.write { try $0.reserve(new.count, in: table) }
    let entries = try zip(numbers, new).map { id, record in
      let _: ID<Record> = try listing.insert(insertion(of: record, as: id, in: listing))
      try self.alongside(record, id, listing)
      try alongside(record, id, listing)
      return entry(record, id)
    }
    let changed = try changes.map { id, record, old in
      try write(record, id, in: listing)
      try alongside(record, id, listing)
      return (old: old, new: entry(record, id))
    }
    return Batch(statements: list.statements, new: entries, changed: changed)
  }

  /// Stores a sealed batch, and updates the index once.
  public func store(_ batch: Batch, in work: Work) throws {
    for statement in batch.statements { try statement.run(on: work) }
    try index.put(contentsOf: batch.new, in: work)
    try index.replace(contentsOf: batch.changed, in: work)
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

  func reserve(_ count: Int, in table: SQL) throws -> [Int64] {
    throw DatabaseError(.other, code: 0, detail: "a list of statements gives no identities")
  }
}
