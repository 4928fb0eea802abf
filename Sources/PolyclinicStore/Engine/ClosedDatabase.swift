import PolyclinicCore

/// A database whose tables refuse changes, such as one whose rows are moved elsewhere.
///
/// A trigger of each table refuses them, so that they are refused to every process and machine, also
/// after a restart. Writers get ``DatabaseError`` of kind `readOnly`. Readers notice nothing.
extension StoredDatabase {
  /// Has all tables but these refuse changes, until ``acceptWrites()``. Waits for writes that run.
  /// Throws ``DatabaseError``.
  public func refuseWrites(except exceptions: Set<String> = []) throws {
    try write { connection in
      try accept(on: connection)
      if dialect == .postgresql { try connection.run(Self.refusal) }
      for table in try tables(on: connection) where !exceptions.contains(table.name) {
        try refuse(to: table.name, on: connection)
      }
    }
  }

  /// Ends what ``refuseWrites(except:)`` began. Throws ``DatabaseError``.
  public func acceptWrites() throws { try write { try accept(on: $0) } }

  /// Returns true after ``refuseWrites(except:)``. Throws ``DatabaseError``.
  public func refusesWrites() throws -> Bool {
    try read { try !closingTriggers(on: $0).isEmpty }
  }

  private func refuse(to table: String, on connection: Connection) throws {
    switch dialect {
    case .sqlite:
      for operation in SQLiteOperation.allCases {
        try connection.run(
          """
          CREATE TRIGGER \(schemaName: "closed_\(operation)_\(table)")
          BEFORE \(operation.sql) ON \(schemaName: table)
          BEGIN SELECT RAISE(ABORT, 'the database is closed for writing'); END
          """)
      }
    case .postgresql:
      try connection.run(
        """
        CREATE TRIGGER closed_table BEFORE INSERT OR UPDATE OR DELETE ON \(schemaName: table)
        FOR EACH STATEMENT EXECUTE FUNCTION closed_table()
        """)
    }
  }

  /// The function of PostgreSQL's triggers. Its error is insufficient_privilege, because the one of a
  /// standby would have the portal look for another server.
  private static var refusal: SQL {
    """
    CREATE OR REPLACE FUNCTION closed_table() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the database is closed for writing' USING ERRCODE = '42501';
    END
    $$
    """
  }

  private func accept(on connection: Connection) throws {
    for trigger in try closingTriggers(on: connection) {
      switch dialect {
      case .sqlite: try connection.run("DROP TRIGGER \(schemaName: trigger.name)")
      case .postgresql:
        try connection.run(
          "DROP TRIGGER \(schemaName: trigger.name) ON \(schemaName: trigger.table)")
      }
    }
  }

  private func closingTriggers(
    on connection: Connection
  ) throws -> [(name: String, table: String)] {
    switch dialect {
    case .sqlite:
      try connection.rows(
        """
        SELECT name, tbl_name FROM sqlite_schema
        WHERE type = 'trigger' AND substr(name, 1, 7) = 'closed_' ORDER BY name
        """
      ) { ($0.string(0), $0.string(1)) }
    case .postgresql:
      try connection.rows(
        """
        SELECT CAST(t.tgname AS TEXT), CAST(c.relname AS TEXT)
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE t.tgname = 'closed_table' AND c.relnamespace = CAST('public' AS regnamespace)
        ORDER BY c.relname
        """
      ) { ($0.string(0), $0.string(1)) }
    }
  }
}

/// A change that a trigger of SQLite refuses. It has a trigger for each.
private enum SQLiteOperation: String, CaseIterable, CustomStringConvertible {
  case insert, update, delete

  var description: String { rawValue }

  var sql: SQL {
    switch self {
    case .insert: "INSERT"
    case .update: "UPDATE"
    case .delete: "DELETE"
    }
  }
}
