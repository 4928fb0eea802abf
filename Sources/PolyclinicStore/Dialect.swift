import PolyclinicCore

/// The spelling of one engine for words that engines spell differently.
public enum Dialect: Sendable {
  /// SQLite 3.37 or newer (STRICT tables, sqlite.org/stricttables.html).
  case sqlite

  /// Returns the engine's spelling of a word of ``SQL``.
  public func spell(_ word: SQL.Word) -> StaticString {
    switch self {
    case .sqlite: Self.inSQLite(word)
    }
  }

  /// Returns the statement that tests if a table exists: its result is one row with 1 or 0.
  func hasTable(_ name: String) -> SQL {
    switch self {
    case .sqlite:
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = \(name)"
    }
  }

  static func inSQLite(_ word: SQL.Word) -> StaticString {
    switch word {
    // Without AUTOINCREMENT, SQLite reuses the ids of deleted rows (sqlite.org/autoinc.html).
    case .identity: "INTEGER PRIMARY KEY AUTOINCREMENT"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .bytes: "BLOB"
    case .strict: "STRICT"
    case .person: "INTEGER NOT NULL REFERENCES people(id_person) ON DELETE CASCADE"
    case .actor: "INTEGER REFERENCES people(id_person) ON DELETE SET NULL"
    }
  }
}
