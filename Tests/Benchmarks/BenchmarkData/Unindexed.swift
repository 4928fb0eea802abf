import PolyclinicCore

/// An open transaction that leaves the contacts' index alone, for it to be made at once when all
/// contacts are there: put in one by one, a hundred thousand would take minutes.
struct Unindexed: Database, @unchecked Sendable {
  let connection: Connection

  init(_ connection: Connection) { self.connection = Connection(Runner(connection)) }

  func sharingReads<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    try body(connection)
  }

  func read<Value>(_ body: (Connection) throws -> Value) throws -> Value { try body(connection) }

  func endSharedReads() {}

  func write<Value>(_ body: (Connection) throws -> Value) throws -> Value { try body(connection) }

  func writeIfFree<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
    try body(connection)
  }

  private final class Runner: Connection.StatementRunner {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func run(_ statement: SQL, _ body: (Row) throws -> Void) throws -> Int {
      if statement.rendered(.sqlite).text.contains("contacts_index") { return 0 }
      try connection.forEach(statement, body)
      return try connection.integer("SELECT changes()") ?? 0
    }

    func insert(_ statement: SQL) throws -> Int64 {
      let id: ID<Void> = try connection.insert(statement)
      return id.rawValue
    }

    func reserve(_ count: Int, in table: SQL) throws -> [Int64] {
      let ids: [ID<Void>] = try connection.reserve(count, in: table)
      return ids.map(\.rawValue)
    }
  }
}
