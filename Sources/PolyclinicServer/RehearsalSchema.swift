import PolyclinicCore

/// The columns that show something to a reader without the key, compared with what people are told.
extension Rehearsal {
  /// Names of columns that are the same in all modules' tables, and told on the privacy page once for
  /// all: numbers of records, to whom they belong, how many there are, when they were entered and deleted.
  private static let toldForAll: Set<String> = [
    "person", "created_at", "deleted_at", "chunk", "entries", "position",
  ]

  /// Columns that are neither sealed nor declared by a module's ``PersonalData``, and declarations of what
  /// is not there, a sentence each.
  package func untoldColumns() throws -> [String] {
    let columns = try database.read { connection in
      try connection.rows(
        """
        SELECT tables.name, columns.name, columns.type
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
        ORDER BY tables.name, columns.cid
        """
      ) { (table: $0.string(0), name: $0.string(1), type: $0.string(2)) }
    }
    let declared = Set(declarations)
    let untold = columns.filter { column in
      let isSealed = column.type == "BLOB" && column.name.hasPrefix("sealed")
      return !isSealed && !column.name.hasPrefix("id_") && !Self.toldForAll.contains(column.name)
        && declared.isDisjoint(with: [column.table, "\(column.table).\(column.name)"])
    }
    let there = Set(columns.flatMap { [$0.table, "\($0.table).\($0.name)"] })
    return untold.map {
      "column \($0.table).\($0.name) is neither sealed nor declared in personalData"
    }
      + declared.subtracting(there).sorted().map {
        "\($0) is declared in personalData, and is not there"
      }
  }
}
