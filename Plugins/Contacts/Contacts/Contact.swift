import PolyclinicCore

/// An entry of the address book: a person or an organisation.
struct Contact: Sendable, Equatable {
  var details = Details()
  var methods: [CommunicationMethod] = []
  /// The data from an imported card. Its own functions store it, and the form leaves it unchanged.
  var card = ContactCard()
}

/// A telephone number, an address or another means of reaching a contact.
struct CommunicationMethod: Resealable, Equatable {
  var type = Kind.phone
  var value = ""
  var unknown = Sealed.UnknownFields()

  enum Kind: String, CaseIterable, Sendable { case phone, email, messenger, web, other }
}

extension Contact {
  static let records = Records(
    "contacts", id: "id_contact", form: form, index: index, title: \.details.name,
    entry: Entry.init(_:id:), read: read, write: write)

  private static let sealedDetails = SealedColumn("contact_details.sealed", Details.form)
  private static let sealedMethod = SealedColumn(
    "communication_methods.sealed", CommunicationMethod.form)

  /// Reads all tables in one statement with a row for each method.
  @Sendable
  private static func read(
    where condition: SQL, in work: Work, _ body: (ID<Contact>, Contact) throws -> Void
  ) throws {
    let keys = try work.keys
    var read: (id: ID<Contact>, contact: Contact)?
    try work.forEach(
      """
      SELECT id_contact, contact_details.sealed, contacts_cards.sealed, position,
        communication_methods.sealed
      FROM contacts LEFT JOIN contact_details USING (id_contact)
        LEFT JOIN contacts_cards USING (id_contact)
        LEFT JOIN communication_methods USING (id_contact)
      WHERE \(condition) ORDER BY id_contact, position
      """
    ) { row in
      let id: ID<Contact> = row.id(0)
      if read?.id != id {
        if let read { try body(read.id, read.contact) }
        guard !row.isNull(1) else { throw DecodingFailure() }
        var contact = Contact(details: try sealedDetails.open(row.sealed(1), row: id, by: keys))
        if !row.isNull(2) {
          contact.card = try ContactCard.sealed.open(row.sealed(2), row: id, by: keys)
        }
        read = (id, contact)
      }
      if row.isNull(3) { return }
      let place = place(row.int(3), of: id)
      read?.contact.methods.append(try sealedMethod.open(row.sealed(4), row: place, by: keys))
    }
    if let read { try body(read.id, read.contact) }
  }

  /// Returns the contacts whose notes match the query. Opens the details of every contact, so it is
  /// for small address books only.
  static func noted(_ query: SearchText.Query, in work: Work) throws -> Set<ID<Contact>> {
    let found: [ID<Contact>?] = try work.rows(
      """
      SELECT id_contact, sealed FROM contacts JOIN contact_details USING (id_contact)
      WHERE person = \(work.keys.person) AND deleted_at IS NULL
      """
    ) { row in
      let id: ID<Contact> = row.id(0)
      let notes = try sealedDetails.open(row.sealed(1), row: id, by: work.keys).notes
      return !notes.isEmpty && query.matches(SearchText(notes)) ? id : nil
    }
    return Set(found.compactMap(\.self))
  }

  @Sendable
  private static func write(_ contact: Contact, to id: ID<Contact>, in work: Work) throws {
    let details = try sealedDetails.seal(contact.details, row: id, by: work.keys)
    try work.run(
      """
      INSERT INTO contact_details (id_contact, sealed) VALUES (\(id), \(details))
      ON CONFLICT (id_contact) DO UPDATE SET sealed = excluded.sealed
      """)
    try work.run("DELETE FROM communication_methods WHERE id_contact = \(id)")
    for (position, method) in contact.methods.enumerated() {
      let method = try sealedMethod.seal(method, row: place(position, of: id), by: work.keys)
      try work.run(
        """
        INSERT INTO communication_methods (id_contact, position, sealed)
        VALUES (\(id), \(position), \(method))
        """)
    }
  }

  /// The row id that a contact method is sealed for, made of its contact and its position. A
  /// contact has fewer than 1000 methods.
  private static func place(_ position: Int, of id: ID<Contact>) -> ID<CommunicationMethod> {
    ID(id.rawValue * 1_000 + Int64(position))
  }
}

extension Contact {
  /// The first telephone number and the first e-mail address, by which people tell contacts of one
  /// name apart.
  var waysInShort: String {
    let kinds: [CommunicationMethod.Kind] = [.phone, .email]
    return kinds.compactMap { kind in
      methods.first { $0.type == kind }.map { String($0.value.prefix(60)) }
    }.joined(separator: " · ")
  }
}
