import PolyclinicCore
import PolyclinicStore
import PolyclinicTesting

extension TestPortal {
  /// Has the database refuse all writes, as it does on a read-only disk.
  package func loseWriteAccess() throws {
    try setWriteAccess(
      "PRAGMA query_only = 1",
      """
      CREATE FUNCTION refuse_writes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE insufficient_privilege; END
      $$
      """,
      """
      DO $$
      DECLARE
        place record;
      BEGIN
        FOR place IN SELECT relname FROM pg_class
          WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r'
        LOOP
          EXECUTE format(
            'CREATE TRIGGER refusal BEFORE INSERT OR UPDATE OR DELETE ON public.%I '
            'FOR EACH STATEMENT EXECUTE FUNCTION refuse_writes()', place.relname);
        END LOOP;
      END
      $$
      """)
  }

  package func regainWriteAccess() throws {
    try setWriteAccess("PRAGMA query_only = 0", "DROP FUNCTION refuse_writes() CASCADE")
  }

  private func setWriteAccess(_ pragma: SQL, _ statements: SQL...) throws {
    if let file = database as? SQLiteDatabase {
      // All threads write through one session.
      _ = try file.writer.open().session.run(pragma, for: .reading) { _ in }
    } else {
      try write { work in for statement in statements { try work.run(statement) } }
    }
  }
}
