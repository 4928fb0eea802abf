import PolyclinicCore
import PolyclinicStore

/// A comparison of the unencrypted columns with those that modules declare in ``PersonalData``.
extension InProcessServer {
  /// Columns that mean the same in all modules' tables. The privacy page explains them once: record
  /// numbers, owners, counts, positions, and times of creation and deletion.
  private static let toldForAll: Set<String> = [
    "person", "created_at", "deleted_at", "chunk", "entries", "position",
  ]

  /// Returns a sentence for each unencrypted column that no ``PersonalData`` declares, and for each
  /// declaration of a column that does not exist.
  package func untoldColumns() throws -> [String] {
    let columns = try database.read { try database.tables(on: $0) }.flatMap { table in
      table.columns.map { (table: table.name, name: $0.name, type: $0.type) }
    }
    let declared = Set(declarations)
    let untold = columns.filter { column in
      let isSealed = column.type == .bytes && column.name.hasPrefix("sealed")
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
