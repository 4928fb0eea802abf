import PolyclinicTestDatabases
import Testing

extension Trait where Self == ConditionTrait {
  /// A test about the files or the schema of SQLite, which does not run on PostgreSQL.
  package static var sqliteOnly: Self {
    .enabled(if: TestEngine.current == .sqlite, "It is about SQLite.")
  }

  /// A test about the server of PostgreSQL, which does not run on SQLite.
  package static var postgresqlOnly: Self {
    .enabled(if: TestEngine.current == .postgresql, "It is about PostgreSQL.")
  }
}
