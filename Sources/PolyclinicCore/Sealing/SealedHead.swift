extension Sealed {
  /// The first sealed rows of a person in one table: those of an index with which a list begins, or
  /// the only one of a ``PersonalValue``.
  public struct Head: Sendable {
    let table: StaticString
    let isIndex: Bool

    /// The highest number of a chunk in the head of an index, whose directory is chunk 0.
    static let lastChunk = 2
  }
}

extension SealedIndex {
  /// The directory and the first chunks, which a card can name in ``Card/reads``.
  public var head: Sealed.Head { Sealed.Head(table: name, isIndex: true) }
}

extension Work {
  /// Reads the heads in one statement and keeps them. A later read of one of them runs no statement.
  /// Keeps none if it throws.
  package final func read(_ heads: [Sealed.Head]) throws {
    let person = try keys.person
    var statement: SQL?
    var unread: [String: Sealed.Head] = [:]
    for head in heads where readRows[ReadRows.Key(head.table, of: person)] == nil {
      guard unread.updateValue(head, forKey: head.table.description) == nil else { continue }
      let table = SQL(stringLiteral: head.table)
      let part: SQL =
        head.isIndex
        ? """
        SELECT '\(table)', chunk, sealed FROM \(table)
        WHERE person = \(person) AND chunk <= \(Sealed.Head.lastChunk)
        """ : "SELECT '\(table)', 0, sealed FROM \(table) WHERE person = \(person)"
      statement = statement.map { "\($0) UNION ALL \(part)" } ?? part
    }
    guard let statement else { return }
    let rows = try self.rows(statement) { ($0.string(0), Int64($0.int(1)), $0.sealed(2)) }
    for head in unread.values { readRows[ReadRows.Key(head.table, of: person)] = .some(nil) }
    for (name, number, sealed) in rows {
      if let head = unread[name] {
        readRows[ReadRows.Key(head.table, of: person, number)] = sealed
      }
    }
  }
}
