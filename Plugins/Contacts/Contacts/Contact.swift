import PolyclinicCore

/// An entry of the address book: a person or an organisation.
struct Contact: Resealable, Equatable {
  var name = ""
  var birthday: CalendarDate?
  var workplace = ""
  var address = ""
  var notes = ""
  var methods: [CommunicationMethod] = []
  /// The data from an imported card. Its own functions store it, and the form leaves it unchanged.
  var card = ContactCard()
  var unknown = Sealed.UnknownFields()

  subscript(field: TextField) -> String {
    get { self[keyPath: field.value] }
    set { self[keyPath: field.value] = newValue }
  }
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
    "contacts", id: "id_contact", sealed: sealed, index: index, title: \.name,
    entry: Entry.init(_:id:), read: read)

  private static let sealed = SealedColumn("contacts.sealed", form)

  /// Reads contacts with their cards, because the index entry of a contact needs the card.
  @Sendable
  private static func read(
    where condition: SQL, in work: Work, _ body: (ID<Contact>, Contact) throws -> Void
  ) throws {
    let keys = try work.keys
    try work.forEach(
      """
      SELECT id_contact, contacts.sealed, contacts_cards.sealed
      FROM contacts LEFT JOIN contacts_cards USING (id_contact)
      WHERE \(condition) ORDER BY id_contact
      """
    ) { row in
      let id: ID<Contact> = row.id(0)
      var contact = try sealed.open(row.sealed(1), row: id, by: keys)
      if !row.isNull(2) {
        contact.card = try ContactCard.sealed.open(row.sealed(2), row: id, by: keys)
      }
      try body(id, contact)
    }
  }

  /// Returns the contacts whose notes match the query. Opens every contact, so it is for small
  /// address books only.
  static func noted(_ query: SearchText.Query, in work: Work) throws -> Set<ID<Contact>> {
    let found: [ID<Contact>?] = try work.rows(
      """
      SELECT id_contact, sealed FROM contacts
      WHERE person = \(work.keys.person) AND deleted_at IS NULL
      """
    ) { row in
      let id: ID<Contact> = row.id(0)
      let notes = try sealed.open(row.sealed(1), row: id, by: work.keys).notes
      return !notes.isEmpty && query.matches(SearchText(notes)) ? id : nil
    }
    return Set(found.compactMap(\.self))
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
