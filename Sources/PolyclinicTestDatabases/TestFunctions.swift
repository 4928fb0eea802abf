import PolyclinicCore
import PolyclinicStore

/// Functions in a database of PostgreSQL that bring it back to its first state. They are in schemas
/// of their own, which the portal does not see.
///
/// Rows get the numbers 1, 2, 3 and so on, as in SQLite, so that tests may name them. Blocks of
/// numbers are for the tests that start the portal itself.
enum TestFunctions {
  /// Has the database remember its present rows and tables.
  static func create(in database: PostgreSQLDatabase) throws {
    try database.write { connection in
      for statement in [schema, keptRows, shape, empty, rows, countingByOne, numbers, state] {
        try connection.run(statement)
      }
    }
  }

  /// Brings the rows and the numbers of the database back to the state of ``create(in:)``. Returns
  /// false if it has other tables by now, or has become large.
  static func empty(_ database: PostgreSQLDatabase) throws -> Bool {
    try database.write { try $0.row("SELECT testing.empty()") { $0.bool(0) } } ?? false
  }

  private static let schema: SQL = "CREATE SCHEMA testing"
  /// The tables in it have the rows of the portal's tables of the same name.
  private static let keptRows: SQL = "CREATE SCHEMA kept"

  /// A digest of the portal's tables with their columns, triggers, constraints and functions.
  private static let shape: SQL = """
    CREATE FUNCTION testing.shape() RETURNS text LANGUAGE sql AS $$
      SELECT md5(string_agg(part, ',' ORDER BY part)) FROM (
        SELECT concat_ws(' ', c.oid, c.relname, a.attname, a.attisdropped, a.attnotnull) AS part
        FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = CAST('public' AS regnamespace)
        UNION ALL SELECT concat_ws(' ', oid, tgenabled) FROM pg_trigger
        UNION ALL SELECT concat_ws(' ', oid, condeferrable) FROM pg_constraint
        UNION ALL SELECT concat_ws(' ', oid) FROM pg_proc
        WHERE pronamespace = CAST('public' AS regnamespace)
      ) AS parts
    $$
    """

  private static let empty: SQL = """
    CREATE FUNCTION testing.empty() RETURNS boolean LANGUAGE plpgsql
    SET session_replication_role = replica AS $$
    DECLARE
      place record;
    BEGIN
      IF EXISTS (
        SELECT 1 FROM testing.state WHERE shape <> testing.shape()
          OR pg_database_size(current_database()) > size + 8000000
      ) THEN
        RETURN false;
      END IF;
      FOR place IN SELECT relname FROM pg_class
        WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r'
      LOOP
        EXECUTE format('DELETE FROM public.%I', place.relname);
      END LOOP;
      FOR place IN SELECT relname FROM pg_class
        WHERE relnamespace = CAST('kept' AS regnamespace)
      LOOP
        EXECUTE format('INSERT INTO public.%1$I SELECT * FROM kept.%1$I', place.relname);
      END LOOP;
      PERFORM setval(name, number, is_called) FROM testing.sequences;
      RETURN true;
    END
    $$
    """

  private static let rows: SQL = """
    DO $$
    DECLARE
      place record;
      is_empty boolean;
    BEGIN
      FOR place IN SELECT relname FROM pg_class
        WHERE relnamespace = CAST('public' AS regnamespace) AND relkind = 'r'
      LOOP
        EXECUTE format('SELECT NOT EXISTS (SELECT 1 FROM public.%I)', place.relname) INTO is_empty;
        IF NOT is_empty THEN
          EXECUTE format('CREATE TABLE kept.%1$I AS TABLE public.%1$I', place.relname);
        END IF;
      END LOOP;
    END
    $$
    """

  private static let countingByOne: SQL = """
    DO $$
    DECLARE
      place record;
    BEGIN
      FOR place IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER SEQUENCE public.%I CACHE 1', place.sequencename);
      END LOOP;
    END
    $$
    """

  private static let numbers: SQL = """
    CREATE TABLE testing.sequences AS
    SELECT CAST(format('public.%I', sequencename) AS regclass) AS name,
      coalesce(last_value, start_value) AS number, last_value IS NOT NULL AS is_called
    FROM pg_sequences WHERE schemaname = 'public'
    """

  private static let state: SQL = """
    CREATE TABLE testing.state AS
    SELECT testing.shape() AS shape, pg_database_size(current_database()) AS size
    """
}
