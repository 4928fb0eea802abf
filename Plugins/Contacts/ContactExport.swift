import PolyclinicCore

extension Contact {
  /// All contacts of the person in the field names of the page, deleted ones with the day they were
  /// deleted.
  static func export(by keys: Keys, on connection: Connection) throws -> JSON {
    let rows: [(id: ID<Contact>, deletedAt: Instant?)] = try connection.rows(
      """
      SELECT id_contact, deleted_at FROM contacts WHERE person = \(keys.person)
      ORDER BY id_contact
      """
    ) { ($0.id(0), $0.optional(1, Row.instant)) }
    let contacts = try rows.map { row in
      member(row.id, row.deletedAt, try read(row.id, by: keys, on: connection))
    }
    return .object([JSON.Member("contacts", .array(contacts))])
  }

  private static func member(
    _ id: ID<Contact>, _ deletedAt: Instant?, _ contact: Contact
  ) -> JSON {
    var members = [JSON.Member("id", .integer(id.rawValue))]
    if case .object(let fields) = form.json(contact) { members += fields }
    if let deletedAt {
      let day = LocalDateTime(deletedAt, in: .utc).date
      members.append(JSON.Member("deleted_on", .string(day.description)))
    }
    return .object(members)
  }
}
