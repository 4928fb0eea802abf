import PolyclinicCore

/// The tables with personal data, found in the schema: those with a ``SQL/Word/person`` column, and
/// those whose rows are deleted along with a row of such a table.
///
/// Modules have nothing to list, because the schema tells which rows an erasure deletes.
public struct PersonalTables: Sendable {
  private let counts: [@Sendable (ID<Person>) -> SQL]

  /// Finds them among the tables of a database.
  public init(among tables: [StoredTable]) {
    counts = tables.compactMap { table in
      Self.path(from: table, in: tables, [table.name]).map { table.count(of: $0) }
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
    from table: StoredTable, in tables: [StoredTable], _ seen: Set<String>
  ) -> [StoredTable.Reference]? {
    let references = table.references.filter(\.cascades)
    if let direct = references.first(where: { $0.table == people }) { return [direct] }
    for reference in references where !seen.contains(reference.table) {
      guard let parent = tables.first(where: { $0.name == reference.table }),
        let rest = path(from: parent, in: tables, seen.union([parent.name]))
      else { continue }
      return [reference] + rest
    }
    return nil
  }

  private static let people = "people"
}

extension StoredTable {
  /// Returns a statement that adds up the size of a person's rows, found along `path`.
  ///
  /// The length of bytes does not read them, so large values cost no more than small ones.
  fileprivate func count(of path: [Reference]) -> @Sendable (ID<Person>) -> SQL {
    let size = columns.reduce("0" as SQL) { sum, column in
      let value: SQL = "\(schemaName: name).\(schemaName: column.name)"
      switch column.type {
      case .bytes:
        return "\(sum) + coalesce(\(sqlite: "length", postgresql: "octet_length")(\(value)), 0)"
      case .text:
        let bytes: SQL = """
          \(sqlite: "length(CAST(", postgresql: "octet_length(")\(value)\
          \(sqlite: " AS BLOB))", postgresql: ")")
          """
        return "\(sum) + coalesce(\(bytes), 0)"
      case .integer, .real: return sum
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
