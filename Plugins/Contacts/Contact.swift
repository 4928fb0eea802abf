import PolyclinicCore

/// Somebody whom the owner of the address book wants to reach.
struct Contact: Sendable {
  var details = Details()
  var methods: [CommunicationMethod] = []

  /// What is known of a contact besides how to reach it.
  struct Details: Resealable {
    var name = ""
    var birthday: CalendarDate?
    var workplace = ""
    var address = ""
    var notes = ""
    var unknown = UnknownFields()
  }
}

/// One way of reaching a contact.
struct CommunicationMethod: Resealable {
  var type = Kind.phone
  var value = ""
  var unknown = UnknownFields()

  enum Kind: String, CaseIterable, Sendable { case phone, email, messenger, web, other }
}

extension Contact {
  /// One contact of the person whose keys these are; nil for an unknown id, for somebody else's, and
  /// for a deleted one.
  static func find(_ id: ID<Contact>, by keys: Keys, on connection: Connection) throws -> Contact? {
    let isThere = try connection.integer(
      """
      SELECT 1 FROM contacts
      WHERE id_contact = \(id) AND person = \(keys.person) AND deleted_at IS NULL
      """)
    return isThere == nil ? nil : try read(id, by: keys, on: connection)
  }

  /// Stores a new contact and puts it into its place in the index.
  func insert(at now: Instant, by keys: Keys, on connection: Connection) throws -> ID<Contact> {
    let id: ID<Contact> = try connection.insert(
      """
      INSERT INTO contacts (person, created_at) VALUES (\(keys.person), \(now))
      RETURNING id_contact
      """)
    try writeParts(of: id, by: keys, on: connection)
    try Self.index.put(Entry(self, id: id), by: keys, on: connection)
    return id
  }

  /// Stores this in place of the contact that `id` names; throws ``Refusal/notFound`` when ``find``
  /// would not find it.
  func replace(_ id: ID<Contact>, by keys: Keys, on connection: Connection) throws {
    guard let stored = try Self.find(id, by: keys, on: connection) else { throw Refusal.notFound }
    try connection.run("DELETE FROM contact_details WHERE id_contact = \(id)")
    try connection.run("DELETE FROM communication_methods WHERE id_contact = \(id)")
    try writeParts(of: id, by: keys, on: connection)
    let (old, new) = (Entry(stored, id: id), Entry(self, id: id))
    if old == new { return }
    try Self.index.remove(old, by: keys, on: connection)
    try Self.index.put(new, by: keys, on: connection)
  }

  /// Makes the person's index anew from all contacts that are not deleted.
  @Sendable
  static func rebuildIndex(by keys: Keys, on connection: Connection) throws {
    let ids: [ID<Contact>] = try connection.rows(
      "SELECT id_contact FROM contacts WHERE person = \(keys.person) AND deleted_at IS NULL"
    ) { $0.id(0) }
    let entries = try ids.map { Entry(try read($0, by: keys, on: connection), id: $0) }
    try index.rebuild(entries, by: keys, on: connection)
  }

  /// The parts of a contact that is known to be the person's own, deleted or not.
  static func read(_ id: ID<Contact>, by keys: Keys, on connection: Connection) throws -> Contact {
    let details = try connection.row(
      "SELECT sealed FROM contact_details WHERE id_contact = \(id)"
    ) { try sealedDetails.open($0.sealed(0), row: id, by: keys) }
    guard let details else { throw DecodingFailure() }
    let methods = try connection.rows(
      """
      SELECT position, sealed FROM communication_methods
      WHERE id_contact = \(id) ORDER BY position
      """
    ) { row in
      try sealedMethod.open(row.sealed(1), row: place(row.int(0), of: id), by: keys)
    }
    return Contact(details: details, methods: methods)
  }

  private func writeParts(of id: ID<Contact>, by keys: Keys, on connection: Connection) throws {
    let details = try Self.sealedDetails.seal(details, row: id, by: keys)
    try connection.run(
      "INSERT INTO contact_details (id_contact, sealed) VALUES (\(id), \(details))")
    for (position, method) in methods.enumerated() {
      let method = try Self.sealedMethod.seal(method, row: Self.place(position, of: id), by: keys)
      try connection.run(
        """
        INSERT INTO communication_methods (id_contact, position, sealed)
        VALUES (\(id), \(position), \(method))
        """)
    }
  }

  static let sealedDetails = Slot("contact_details.sealed", Details.form)
  private static let sealedMethod = Slot("communication_methods.sealed", CommunicationMethod.form)

  /// What a method is sealed for: its contact and its position, of which there are fewer than 1000.
  private static func place(_ position: Int, of id: ID<Contact>) -> ID<CommunicationMethod> {
    ID(id.rawValue * 1_000 + Int64(position))
  }
}
