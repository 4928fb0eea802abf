import PolyclinicCore

/// The table of stored responses. Its name is older than the responses to API clients in it.
extension IdempotencyStore {
  package static let migration = Migration(
    "0005-answered-forms",
    """
    CREATE TABLE answered_forms (
      form \(.bytes) NOT NULL PRIMARY KEY,
      answer TEXT NOT NULL,
      signed_in \(.actor),
      answered_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX answered_forms_answered_at ON answered_forms (answered_at)",
    "CREATE INDEX answered_forms_signed_in ON answered_forms (signed_in)")

  /// The table of responses to API clients of earlier releases. This release only reads it, for a
  /// day after an upgrade.
  package static let migrationForAPIClients = Migration(
    "0011-api-answers",
    """
    CREATE TABLE api_answers (
      mark \(.bytes) NOT NULL PRIMARY KEY,
      person \(.person),
      request \(.bytes) NOT NULL,
      sealed \(.bytes) NOT NULL,
      answered_at \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX api_answers_answered_at ON api_answers (answered_at)",
    "CREATE INDEX api_answers_person ON api_answers (person)")

  /// Halves the pages that saving a form writes: rows are stored in the tree of the primary key,
  /// and only forms that signed someone in are indexed by person.
  package static let migrationToFewerPages = Migration(
    "0012-answered-forms-in-fewer-pages",
    """
    CREATE TABLE answered_forms_by_key (
      form \(.bytes) NOT NULL PRIMARY KEY,
      answer TEXT NOT NULL,
      signed_in \(.actor),
      answered_at \(.integer) NOT NULL
    ) \(.strict), WITHOUT ROWID
    """,
    """
    INSERT INTO answered_forms_by_key (form, answer, signed_in, answered_at)
    SELECT form, answer, signed_in, answered_at FROM answered_forms
    """,
    "DROP TABLE answered_forms",
    "ALTER TABLE answered_forms_by_key RENAME TO answered_forms",
    "CREATE INDEX answered_forms_answered_at ON answered_forms (answered_at)",
    """
    CREATE INDEX answered_forms_signed_in ON answered_forms (signed_in)
    WHERE signed_in IS NOT NULL
    """)

  /// Adds the responses to API clients, which are sealed for the person who sent the request.
  package static let migrationToOneTable = Migration(
    "0018-one-table-of-responses",
    "ALTER TABLE answered_forms ADD COLUMN request \(.bytes)",
    "ALTER TABLE answered_forms ADD COLUMN sealed \(.bytes)",
    """
    ALTER TABLE answered_forms
    ADD COLUMN person \(.integer) REFERENCES people(id_person) ON DELETE CASCADE
    """,
    "CREATE INDEX answered_forms_person ON answered_forms (person) WHERE person IS NOT NULL")
}
