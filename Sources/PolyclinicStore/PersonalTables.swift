import PolyclinicCore

/// The tables with personal data, found in the schema: those with a ``SQL/Word/person`` column, and
/// those whose rows are deleted along with a row of such a table.
///
/// Modules have nothing to list, because the schema tells which rows an erasure deletes.
public struct PersonalTables: Sendable {
  private let counts: [@Sendable (ID<Person>) -> SQL]

  /// Reads the schema of the database.
  public init(on connection: Connection) throws {
    let tables = try Table.all(on: connection)
    counts = try tables.compactMap { table in
      guard let path = Self.path(from: table, in: tables, [table.name]) else { return nil }
      return try table.count(of: path, on: connection)
    }
  }

  /// Returns the storage that the person's rows use, counted row by row, in one statement.
  package func use(of person: ID<Person>, on connection: Connection) throws -> Connection.StorageUse
  {
    guard let first = counts.first else { return Connection.StorageUse() }
    let all = counts.dropFirst().reduce(first(person)) { "\($0) UNION ALL \($1(person))" }
    let use = try connection.row(
      "WITH used (bytes, records) AS (\(all)) SELECT sum(bytes), sum(records) FROM used"
    ) { Connection.StorageUse(bytes: $0.int(0), records: $0.int(1)) }
    return use ?? Connection.StorageUse()
  }

  /// Returns the cascading foreign keys that lead from a table to `people`; nil if there are none.
  private static func path(
    from table: Table, in tables: [Table], _ seen: Set<String>
  ) -> [Reference]? {
    if let direct = table.references.first(where: { $0.table == people }) { return [direct] }
    for reference in table.references where !seen.contains(reference.table) {
      guard let parent = tables.first(where: { $0.name == reference.table }),
        let rest = path(from: parent, in: tables, seen.union([parent.name]))
      else { continue }
      return [reference] + rest
    }
    return nil
  }

  private static let people = "people"

  /// A foreign key with `ON DELETE CASCADE`.
  private struct Reference: Sendable {
    let column: String
    let table: String
    let key: String
  }

  private struct Table {
    let name: String
    let references: [Reference]

    static func all(on connection: Connection) throws -> [Table] {
      let names = try connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      ) { $0.string(0) }
      return try names.map { name in
        let references = try connection.rows(
          """
          SELECT "from", "table", "to" FROM pragma_foreign_key_list(\(name))
          WHERE on_delete = 'CASCADE' ORDER BY id
          """
        ) { Reference(column: $0.string(0), table: $0.string(1), key: $0.string(2)) }
        return Table(name: name, references: references)
      }
    }

    /// Returns a statement that adds up the size of a person's rows, found along `path`.
    ///
    /// `length` of a BLOB does not read it, so large values cost no more than small ones.
    func count(
      of path: [Reference], on connection: Connection
    ) throws -> @Sendable (ID<Person>) -> SQL {
      let columns = try connection.rows(
        "SELECT name, type FROM pragma_table_info(\(name)) ORDER BY cid"
      ) { (name: $0.string(0), type: $0.string(1)) }
      let size = columns.reduce("0" as SQL) { sum, column in
        let value: SQL = "\(schemaName: name).\(schemaName: column.name)"
        switch column.type {
        case "BLOB": return "\(sum) + coalesce(length(\(value)), 0)"
        case "TEXT": return "\(sum) + coalesce(length(CAST(\(value) AS BLOB)), 0)"
        default: return sum
        }
      }
      let tables = [name] + path.map(\.table)
      let joins = path.indices.dropLast().reduce("" as SQL) { joins, place in
        let (child, parent) = (tables[place], tables[place + 1])
        let (column, key) = (path[place].column, path[place].key)
        return """
          \(joins) JOIN \(schemaName: parent)
          ON \(schemaName: parent).\(schemaName: key) = \(schemaName: child).\(schemaName: column)
          """
      }
      let (holder, column) = (tables[path.count - 1], path[path.count - 1].column)
      return { person in
        """
        SELECT coalesce(sum(\(size)), 0), count(*) FROM \(schemaName: name) \(joins)
        WHERE \(schemaName: holder).\(schemaName: column) = \(person)
        """
      }
    }
  }
}
