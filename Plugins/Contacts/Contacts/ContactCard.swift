import PolyclinicCore
import PolyclinicFormats

/// The parts of an imported card that the contact's own fields do not hold, so that an export loses
/// none of them.
///
/// Lines are unfolded vCard 4.0 content lines, separated by line feeds.
struct ContactCard: Resealable, Equatable {
  /// The UID from the imported card; empty for a contact that was typed in here.
  var uid = ""
  /// The lines that the contact's fields were read from. An export writes them with all their
  /// parameters, such as `TYPE=work`, while the field still has the same value.
  var sources = ""
  /// The lines that no field holds, such as a title, a photograph, or a birthday without its year.
  var extras = ""
  /// As ``sources``, from contacts merged into this one. They are separate because a later card
  /// with this UID replaces only ``sources``.
  var joinedSources = ""
  /// As ``extras``, from contacts merged into this one. Also holds contact methods beyond the
  /// form's limit.
  var joinedExtras = ""
  var unknown = Sealed.UnknownFields()

  static let form = Form(
    ContactCard(), .text(\.uid, "uid"), .lines(\.sources, "sources"), .lines(\.extras, "extras"),
    .lines(\.joinedSources, "joined_sources"), .lines(\.joinedExtras, "joined_extras"))

  /// The longest line that is stored, in bytes: a photograph of 48 KB in base64. The import reports
  /// longer ones as left out.
  static let lineLimit = 65_536
  /// The most bytes that are stored with one contact.
  static let limit = 131_072

  /// True if there is nothing to store.
  var isEmpty: Bool { self == ContactCard() }

  /// The number of bytes that are stored.
  var size: Int { [sources, extras, joinedSources, joinedExtras].reduce(0) { $0 + $1.utf8.count } }

  /// The birthday without a year.
  var birthday: CalendarDate.MonthDay? {
    // Returns early because each opened contact reads this property and hardly any has such a
    // birthday.
    guard !extras.isEmpty || !joinedExtras.isEmpty, (extras + joinedExtras).contains("BDAY") else {
      return nil
    }
    for line in allExtras where line.name == "BDAY" {
      if case .yearless(let day) = CardDate(line) { return day }
    }
    return nil
  }

  /// The stored properties that may occur only once in a card (RFC 6350, 6, cardinality `*1`). An
  /// export writes the others, such as `UID`, anew.
  static let single: Set = ["ANNIVERSARY", "BDAY", "GENDER", "KIND", "N"]

  /// The lines that no field holds: the card's own first, then the merged cards' lines that do not
  /// repeat or contradict them.
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

  /// Parses the lines of ``sources`` or ``extras``.
  static func lines(_ text: String) -> [ContentLine] {
    text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { ContentLine(Array($0)) }
  }

  /// Returns the lines as they are stored.
  static func text(_ lines: [ContentLine]) -> String {
    String(
      decoding: Array(lines.map(\.bytes).joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
  }
}

extension ContentLine {
  /// True if both lines are one property in several forms, such as in several languages (RFC 6350,
  /// 5.4).
  func isAlternative(of other: ContentLine) -> Bool {
    let altID = values(of: "ALTID")
    return !altID.isEmpty && altID == other.values(of: "ALTID")
  }
}

extension ContactCard {
  static let sealed = SealedColumn("contacts_cards.sealed", form)

  /// A table with one row for each contact that came from a card; most contacts have none.
  static let schema: SQL =
    """
    CREATE TABLE contacts_cards (
      id_contact \(.integer) PRIMARY KEY REFERENCES contacts (id_contact) ON DELETE CASCADE,
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """

  /// Returns the card stored for a contact, or an empty one.
  static func find(_ id: ID<Contact>, in work: Work) throws -> ContactCard {
    let card = try work.row("SELECT sealed FROM contacts_cards WHERE id_contact = \(id)") {
      try sealed.open($0.sealed(0), row: id, by: work.keys)
    }
    return card ?? ContactCard()
  }

  /// Stores this card for a contact, in place of the previous one. Deletes the row if the card is
  /// empty.
  func store(for id: ID<Contact>, in work: Work) throws {
    if isEmpty {
      try work.run("DELETE FROM contacts_cards WHERE id_contact = \(id)")
      return
    }
    let sealed = try Self.sealed.seal(self, row: id, by: work.keys)
    try work.run(
      """
      INSERT INTO contacts_cards (id_contact, sealed) VALUES (\(id), \(sealed))
      ON CONFLICT (id_contact) DO UPDATE SET sealed = excluded.sealed
      """)
  }

  /// The card as a part of its contact's record when the contact is recovered.
  static var part: Recovery.Part<Contact> {
    Recovery.Part(
      content: { id, work in
        form.json(try find(id, in: work)).encoded
      },
      copy: { id, source, copy, target in
        try find(id, in: source)
          .store(for: copy, in: target)
      })
  }

  /// Returns the UID of each contact, without deleted ones.
  static func uids(in work: Work) throws -> [ID<Contact>: String] {
    let rows: [(ID<Contact>, String)] = try work.rows(
      """
      SELECT id_contact, created_at, contacts_cards.sealed
      FROM contacts LEFT JOIN contacts_cards USING (id_contact)
      WHERE person = \(work.keys.person) AND deleted_at IS NULL
      """
    ) { row in
      let id: ID<Contact> = row.id(0)
      let own = row.isNull(2) ? "" : try sealed.open(row.sealed(2), row: id, by: work.keys).uid
      return (id, own.isEmpty ? ownUID(of: id, madeAt: row.instant(1)) : own)
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// The UID of a contact that has none from a card: a version 8 UUID (RFC 9562, 5.8) of its number
  /// and its creation time in seconds.
  ///
  /// It is the same in each export, so that it need not be stored. The time distinguishes contacts
  /// with the same number, which a restored backup can produce.
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
