import PolyclinicCore
import PolyclinicTesting

extension TestPortal {
  /// Has the database run a statement whenever a row was written, as if another process came between:
  /// `event` is such as `INSERT ON people`.
  package func run(_ statement: SQL, afterEach event: SQL) throws {
    try write { work in
      guard database.dialect == .postgresql else {
        try work.run("CREATE TRIGGER meanwhile AFTER \(event) BEGIN \(statement); END")
        return
      }
      try work.run(
        """
        CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN \(statement); RETURN NULL; END
        $$
        """)
      try work.run(
        "CREATE TRIGGER meanwhile AFTER \(event) FOR EACH ROW EXECUTE FUNCTION meanwhile()")
    }
  }

  /// Ends the effect of ``run(_:afterEach:)``.
  package func runNothingMeanwhile() throws {
    try write {
      try $0.run(
        "\(sqlite: "DROP TRIGGER meanwhile", postgresql: "DROP FUNCTION meanwhile() CASCADE")")
    }
  }
}
