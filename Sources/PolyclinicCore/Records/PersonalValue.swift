/// One sealed value of each person, such as preferences. Its table has a row for each person who has
/// stored a value.
public struct PersonalValue<Value: Resealable>: Sendable {
  private let name: StaticString
  private let table: SQL
  private let column: SealedColumn<Value>

  /// Creates the value in its own table, which ``schema`` creates, with a form for its fields. The
  /// table's name must never change.
  public init(_ table: StaticString, _ form: Form<Value>) {
    name = table
    self.table = SQL(stringLiteral: table)
    column = SealedColumn(of: table, form)
  }

  /// The migration statement that creates the table.
  public var schema: SQL {
    """
    CREATE TABLE \(table) (
      person \(.person), sealed \(.bytes) NOT NULL, PRIMARY KEY (person)
    ) \(.strict)
    """
  }

  /// The person's row, which a card can name in ``Card/reads``.
  public var head: Sealed.Head { Sealed.Head(table: name, isIndex: false) }

  /// Returns the person's value; nil if none is stored.
  public func find(in work: Work) throws -> Value? {
    let person = try work.keys.person
    let key = ReadRows.Key(name, of: person)
    let sealed: Sealed?
    if let known = work.readRows[key] {
      sealed = known
    } else {
      sealed = try work.row("SELECT sealed FROM \(table) WHERE person = \(person)") { $0.sealed(0) }
      work.readRows[key] = .some(sealed)
    }
    return try sealed.map { try column.open($0, row: person, by: work.keys) }
  }

  /// Stores the person's value in place of the earlier one.
  public func save(_ value: Value, in work: Work) throws {
    let person = try work.keys.person
    let sealed = try column.seal(value, row: person, by: work.keys)
    work.readRows.forget(ReadRows.Key(name, of: person))
    try work.run(
      """
      INSERT INTO \(table) (person, sealed) VALUES (\(person), \(sealed))
      ON CONFLICT (person) DO UPDATE SET sealed = excluded.sealed
      """)
  }
}
