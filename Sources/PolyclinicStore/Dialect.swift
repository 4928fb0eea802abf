import PolyclinicCore

/// How an engine spells what the engines spell differently.
public enum Dialect: Sendable {
  /// SQLite 3.37 or newer (STRICT tables, sqlite.org/stricttables.html).
  case sqlite

  /// The engine's text for a word of ``SQL``.
  public func spell(_ word: SQL.Word) -> StaticString {
    switch self {
    case .sqlite: Self.inSQLite(word)
    }
  }

  /// The statement that says whether a table is there: one row with 1, or with 0.
  func hasTable(_ name: String) -> SQL {
    switch self {
    case .sqlite:
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = \(name)"
    }
  }

  static func inSQLite(_ word: SQL.Word) -> StaticString {
    switch word {
    // Without AUTOINCREMENT the ids of deleted rows are given again (sqlite.org/autoinc.html).
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
