import PolyclinicCore

extension Contact {
  static let trash = Trash(
    list: deleted, restore: restore, purge: purge, purgeAll: purgeAll(before:on:))

  /// Takes the contact out of the list, not yet out of the database; throws ``Refusal/notFound`` when
  /// ``find`` would not find it.
  static func delete(
    _ id: ID<Contact>, at now: Instant, by keys: Keys, on connection: Connection
  ) throws {
    guard let contact = try find(id, by: keys, on: connection) else { throw Refusal.notFound }
    try connection.run("UPDATE contacts SET deleted_at = \(now) WHERE id_contact = \(id)")
    try index.remove(Entry(contact, id: id), by: keys, on: connection)
  }

  /// The name of one that the person can still take back; nil for any other id.
  static func nameOfDeleted(
    _ id: ID<Contact>, by keys: Keys, on connection: Connection
  ) throws -> String? {
    try connection.row(
      """
      SELECT sealed FROM contacts JOIN contact_details USING (id_contact)
      WHERE id_contact = \(id) AND person = \(keys.person) AND deleted_at IS NOT NULL
      """
    ) { try sealedDetails.open($0.sealed(0), row: id, by: keys).name }
  }

  private static func deleted(by keys: Keys, on connection: Connection) throws -> [Trash.Item] {
    try connection.rows(
      """
      SELECT id_contact, deleted_at, sealed FROM contacts JOIN contact_details USING (id_contact)
      WHERE person = \(keys.person) AND deleted_at IS NOT NULL
      ORDER BY deleted_at DESC, id_contact DESC
      """
    ) { row in
      let id: ID<Contact> = row.id(0)
      let details = try sealedDetails.open(row.sealed(2), row: id, by: keys)
      return Trash.Item(id: id.rawValue, title: details.name, deletedAt: row.instant(1))
    }
  }

  private static func restore(
    _ number: Int64, by keys: Keys, on connection: Connection
  ) throws -> Path {
    let id = ID<Contact>(number)
    let count = try connection.run(
      """
      UPDATE contacts SET deleted_at = NULL
      WHERE id_contact = \(id) AND person = \(keys.person) AND deleted_at IS NOT NULL
      """)
    guard count == 1 else { throw Refusal.notFound }
    let contact = try read(id, by: keys, on: connection)
    try index.put(Entry(contact, id: id), by: keys, on: connection)
    return "\(id)"
  }

  private static func purge(_ number: Int64, by keys: Keys, on connection: Connection) throws {
    let count = try connection.run(
      """
      DELETE FROM contacts
      WHERE id_contact = \(number) AND person = \(keys.person) AND deleted_at IS NOT NULL
      """)
    guard count == 1 else { throw Refusal.notFound }
  }

  private static func purgeAll(before: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM contacts WHERE deleted_at < \(before)")
  }
}
