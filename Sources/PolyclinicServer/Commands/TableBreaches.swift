import PolyclinicCore
import PolyclinicStore

/// The differences between the tables that the migrations of a release create and those of a server
/// with which that release cannot live. As `SchemaBreaches`, which reads more of a SQLite schema.
struct TableBreaches {
  /// The tables that the migrations create.
  let expected: [StoredTable]
  /// The tables of the server.
  let found: [StoredTable]
  /// The server's columns to which each INSERT must give a value, as `table.column`.
  let required: Set<String>

  /// Reads the tables of a PostgreSQL database. Throws `DatabaseError`.
  init(from expected: [StoredTable], to database: any StoredDatabase) throws {
    self.expected = expected
    (found, required) = try database.read { connection in
      let required = try connection.rows(
        """
        SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = CAST('public' AS regnamespace) AND c.relkind = 'r'
          AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''
        """
      ) { "\($0.string(0)).\($0.string(1))" }
      return (try database.tables(on: connection), Set(required))
    }
  }

  /// A sentence for each difference; empty if the release can serve.
  var all: [String] {
    let found = Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
    let changed = expected.flatMap { table in
      found[table.name].map { breaches(from: table, to: $0) } ?? ["table \(table.name) is gone"]
    }
    return (changed + holdsOfNewTables).sorted()
  }

  private func breaches(from table: StoredTable, to other: StoredTable) -> [String] {
    let name = table.name
    let types = Dictionary(other.columns.map { ($0.name, $0.type) }) { first, _ in first }
    var breaches = table.columns.compactMap { column -> String? in
      guard let type = types[column.name] else { return "column \(name).\(column.name) is gone" }
      return type == column.type ? nil : "column \(name).\(column.name) has another type"
    }
    if other.key != table.key || other.identity != table.identity {
      breaches.append("table \(name) has another kind of key")
    }
    let known = Set(table.columns.map(\.name))
    for column in other.columns.map(\.name)
    where !known.contains(column) && required.contains("\(name).\(column)") {
      breaches.append("column \(name).\(column) is new, NOT NULL, and has no default")
    }
    let (before, after) = (table.references.map(Key.init), other.references.map(Key.init))
    breaches += Set(before).subtracting(after).map { "table \(name) lacks the foreign key \($0)" }
    breaches += Set(after).subtracting(before).filter { known.contains($0.column) || $0.holds }
      .map { "table \(name) has a new foreign key \($0)" }
    return breaches
  }

  /// A release that does not know these tables deletes rows to which they refer.
  private var holdsOfNewTables: [String] {
    let known = Set(expected.map(\.name))
    return found.filter { !known.contains($0.name) }.flatMap { table in
      table.references.map(Key.init).filter { $0.holds && known.contains($0.table) }.map {
        "table \(table.name) keeps rows from being deleted by its foreign key \($0)"
      }
    }
  }

  /// A foreign key, without the column that it refers to: SQLite leaves it out if it is the primary
  /// key.
  private struct Key: Hashable, CustomStringConvertible {
    let column: String
    let table: String
    let cascades: Bool

    init(_ reference: StoredTable.Reference) {
      column = reference.column
      table = reference.table
      cascades = reference.cascades
    }

    var holds: Bool { !cascades }
    var description: String { "(\(column)) to \(table)\(cascades ? ", ON DELETE CASCADE" : "")" }
  }
}
