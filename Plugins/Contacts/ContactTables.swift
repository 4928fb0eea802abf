import PolyclinicCore

extension Contact {
  static let schema = tables + [ContactCard.schema] + MergeMemory.schema

  private static let tables: [SQL] = [
    """
    CREATE TABLE contacts (
      id_contact \(.identity), person \(.person), created_at \(.integer) NOT NULL,
      deleted_at \(.integer)
    ) \(.strict)
    """,
    """
    CREATE TABLE contact_details (
      id_contact \(.integer) PRIMARY KEY REFERENCES contacts (id_contact) ON DELETE CASCADE,
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """,
    """
    CREATE TABLE communication_methods (
      id_contact \(.integer) NOT NULL REFERENCES contacts (id_contact) ON DELETE CASCADE,
      position \(.integer) NOT NULL, sealed \(.bytes) NOT NULL,
      PRIMARY KEY (id_contact, position)
    ) \(.strict)
    """,
    index.schema,
    "CREATE INDEX contacts_person ON contacts (person)",
    // Partial indexes, because the trash and its purge read deleted rows only.
    """
    CREATE INDEX contacts_deleted_of_person ON contacts (person, deleted_at)
    WHERE deleted_at IS NOT NULL
    """,
    "CREATE INDEX contacts_deleted_at ON contacts (deleted_at) WHERE deleted_at IS NOT NULL",
  ]
}
