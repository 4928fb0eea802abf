import PolyclinicCore

/// What the card that a contact came from says besides what the contact's own fields hold, so that an
/// export loses none of it.
///
/// Lines are those of version 4.0, unfolded, one below the other.
struct ContactCard: Resealable, Equatable {
  /// The id that other programs know the contact by; empty for one that was typed in here.
  var uid = ""
  /// The lines that the contact's fields were read from: they go out as they came in for as long as the
  /// field says the same, with all that they say of themselves, such as `TYPE=work`.
  var sources = ""
  /// The lines that no field holds, such as a title, a photograph, or a birthday without its year.
  var extras = ""
  /// As ``sources``, of contacts that were merged into this one: a later card of this one's UID says
  /// nothing of what they brought.
  var joinedSources = ""
  /// As ``extras``, of contacts that were merged into this one, and of ways of reaching it that are more
  /// than the form takes.
  var joinedExtras = ""
  var unknown = UnknownFields()

  static let form = Form(
    ContactCard(), .text(\.uid, "uid"), .lines(\.sources, "sources"), .lines(\.extras, "extras"),
    .lines(\.joinedSources, "joined_sources"), .lines(\.joinedExtras, "joined_extras"))

  /// The most that is kept of one line, in bytes: a photograph of 48 KB in base64. What is longer is
  /// left out, and said to be.
  static let lineLimit = 65_536
  /// The most that is kept beside one contact, in bytes.
  static let limit = 131_072

  /// Whether nothing is known.
  var isEmpty: Bool { self == ContactCard() }

  /// How many bytes are kept.
  var size: Int { [sources, extras, joinedSources, joinedExtras].reduce(0) { $0 + $1.utf8.count } }

  /// The birthday whose year is not told.
  var birthday: MonthDay? {
    // Asked of each contact that is opened, while hardly any has one.
    guard !extras.isEmpty || !joinedExtras.isEmpty, (extras + joinedExtras).contains("BDAY") else {
      return nil
    }
    for line in allExtras where line.name == "BDAY" {
      if case .yearless(let day) = CardDate(line) { return day }
    }
    return nil
  }

  /// What there can be but one of in a card (RFC 6350, 6), of what is kept here.
  private static let single: Set = ["ANNIVERSARY", "BDAY", "GENDER", "KIND"]

  /// The lines that no field holds: the card's own, then those of others that it does not say itself.
  var allExtras: [ContentLine] {
    var lines = Self.lines(extras)
    if joinedExtras.isEmpty { return lines }
    var known = Set(lines)
    var names = Set(lines.map(\.name))
    for line in Self.lines(joinedExtras) where known.insert(line).inserted {
      let isNew = names.insert(line.name).inserted
      if isNew || !Self.single.contains(line.name) { lines.append(line) }
    }
    return lines
  }

  /// The lines of ``sources`` or ``extras``.
  static func lines(_ text: String) -> [ContentLine] {
    text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { ContentLine(Array($0)) }
  }

  /// Lines as they are stored.
  static func text(_ lines: [ContentLine]) -> String {
    String(
      decoding: Array(lines.map(\.bytes).joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
  }
}

extension ContactCard {
  private static let sealed = Slot("contacts_cards.sealed", form)

  /// Beside a contact that came from a card; most have none.
  static let migration = Migration(
    "0002-cards",
    """
    CREATE TABLE contacts_cards (
      id_contact \(.integer) PRIMARY KEY REFERENCES contacts (id_contact) ON DELETE CASCADE,
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """)

  /// What is kept beside a contact.
  static func find(
    _ id: ID<Contact>, by keys: Keys, on connection: Connection
  ) throws -> ContactCard {
    let card = try connection.row("SELECT sealed FROM contacts_cards WHERE id_contact = \(id)") {
      try sealed.open($0.sealed(0), row: id, by: keys)
    }
    return card ?? ContactCard()
  }

  /// Keeps this beside a contact, in place of what was kept.
  func store(for id: ID<Contact>, by keys: Keys, on connection: Connection) throws {
    if isEmpty {
      try connection.run("DELETE FROM contacts_cards WHERE id_contact = \(id)")
      return
    }
    let sealed = try Self.sealed.seal(self, row: id, by: keys)
    try connection.run(
      """
      INSERT INTO contacts_cards (id_contact, sealed) VALUES (\(id), \(sealed))
      ON CONFLICT (id_contact) DO UPDATE SET sealed = excluded.sealed
      """)
  }

  /// The card as what is brought back together with its contact.
  static var part: RecordPart<Contact> {
    RecordPart(
      content: { id, keys, connection in
        form.json(try find(id, by: keys, on: connection)).encoded
      },
      copy: { id, source, copy, target in
        try find(id, by: source.keys, on: source.connection)
          .store(for: copy, by: target.keys, on: target.connection)
      })
  }

  /// The id that other programs know each contact by, deleted ones left out.
  static func uids(by keys: Keys, on connection: Connection) throws -> [ID<Contact>: String] {
    let rows: [(ID<Contact>, String)] = try connection.rows(
      """
      SELECT contacts.id_contact, created_at, sealed FROM contacts
      LEFT JOIN contacts_cards ON contacts_cards.id_contact = contacts.id_contact
      WHERE person = \(keys.person) AND deleted_at IS NULL
      """
    ) { row in
      let id: ID<Contact> = row.id(0)
      let own = row.isNull(2) ? "" : try sealed.open(row.sealed(2), row: id, by: keys).uid
      return (id, own.isEmpty ? ownUID(of: id, madeAt: row.instant(1)) : own)
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// The id that other programs know a contact without a card of its own by: a UUID of version 8
  /// (RFC 9562, 5.8) made of its number and of the second in which it was entered.
  ///
  /// It is the same in each export, and nothing has to be stored for it. The second tells apart what a
  /// restored backup gives the same number to.
  static func ownUID(of id: ID<Contact>, madeAt instant: Instant) -> String {
    let number = hexadecimal(id.rawValue & 0xFFFF_FFFF_FFFF, digits: 12)
    let second = hexadecimal(instant.seconds & 0xFFF_FFFF_FFFF, digits: 11)
    return "urn:uuid:\(number.prefix(8))-\(number.suffix(4))-8000-8\(second.prefix(3))-"
      + "\(second.suffix(8))\(hexadecimal(instant.seconds & 0xFFFF, digits: 4))"
  }

  private static func hexadecimal(_ number: Int64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
