import PolyclinicCore
import PolyclinicStore

extension TestPortal {
  /// The changes by which a migration takes away what the release before it needs, a sentence each.
  ///
  /// The history of the portal's own modules and of those of the test is run step by step in a
  /// database of its own, and each step counts as a release: new tables and new columns that may be
  /// left out are all that it may bring.
  public func migrationBreaches() throws -> [String] {
    let history = server.withLock { $0.migrations }
    let database = try SQLiteDatabase.create(
      "\(directory)/history-\(UInt64.random(in: 0 ... .max))")
    defer { database.close() }
    var before = try database.read { try Schema(on: $0) }
    return try history.indices.flatMap { place in
      let (module, migrations) = history[place]
      return try migrations.indices.flatMap { index -> [String] in
        let earlier = history[..<place] + [(module, Array(migrations[...index]))]
        try Migrator(database, Array(earlier)).migrate(at: Self.start)
        let after = try database.read { try Schema(on: $0) }
        let broken = before.breaches(after: after) + migrations[index].changedRows(of: before)
        before = after
        return broken.map { "\(module) \(migrations[index].name): \($0)" }
      }
    }
  }
}

extension Migration {
  /// Rows that the release before has written and would find changed.
  fileprivate func changedRows(of schema: Schema) -> [String] {
    statements.compactMap { statement in
      let words = statement.rendered(.sqlite).text.split(
        whereSeparator: \.isWhitespace)
      let change = ["UPDATE", "DELETE FROM"].first { words.starts(with: $0.split(separator: " ")) }
      guard let change, let table = words.dropFirst(change.split(separator: " ").count).first,
        schema.tableNames.contains(String(table))
      else { return nil }
      return "\(change) \(table) changes rows that are there"
    }
  }
}
