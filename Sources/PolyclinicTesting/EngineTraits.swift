import PolyclinicTestDatabases
import Testing

extension Trait where Self == ConditionTrait {
  /// A test about the files or the schema of SQLite, which does not run on PostgreSQL.
  package static var sqliteOnly: Self {
    .enabled(if: TestEngine.current == .sqlite, "It is about SQLite.")
  }
}
