import PolyclinicCore

extension IdempotencyStore {
  /// The table of stored responses: to forms, and to requests of API clients, which are sealed for
  /// the person who sent the request.
  ///
  /// Rows are stored in the tree of the primary key, and the indexes are partial, so that saving a
  /// form writes few pages.
  package static let schema: [SQL] = [
    """
    CREATE TABLE answered_forms (
      form \(.bytes) NOT NULL PRIMARY KEY,
      answer TEXT NOT NULL,
      signed_in \(.actor),
      answered_at \(.integer) NOT NULL,
      request \(.bytes),
      sealed \(.bytes),
      person \(.integer) REFERENCES people(id_person) ON DELETE CASCADE
    ) \(.strict), WITHOUT ROWID
    """,
    "CREATE INDEX answered_forms_answered_at ON answered_forms (answered_at)",
    """
    CREATE INDEX answered_forms_signed_in ON answered_forms (signed_in)
    WHERE signed_in IS NOT NULL
    """,
    "CREATE INDEX answered_forms_person ON answered_forms (person) WHERE person IS NOT NULL",
  ]
}
