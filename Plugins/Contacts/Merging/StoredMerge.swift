import PolyclinicCore

/// Two contacts that were made one, for as long as that can be taken back: what the one that stayed was
/// before. The other one stands in "Recently deleted", and restoring it undoes the merge.
struct ContactMerge: Resealable {
  private var details: [Contact.Details] = []
  private var methods: [CommunicationMethod] = []
  private var cards: [ContactCard] = []
  /// The fingerprint of what was made of both.
  private var result = ""
  var unknown = UnknownFields()

  private static let form = Form(
    ContactMerge(), .rows(\.details, "details", limit: 1, of: Contact.Details.form),
    .rows(\.methods, "method", limit: CardReading.mostWays, of: CommunicationMethod.form),
    .rows(\.cards, "card", limit: 1, of: ContactCard.form), .text(\.result, "result"))
  private static let sealed = Slot("contacts_merges.sealed", form)

  /// By the contact that was deleted: it goes with either of the two.
  static let schema: SQL = """
    CREATE TABLE contacts_merges (
      gone \(.integer) PRIMARY KEY REFERENCES contacts (id_contact) ON DELETE CASCADE,
      stayed \(.integer) NOT NULL REFERENCES contacts (id_contact) ON DELETE CASCADE,
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """

  private init() {}

  private init(before: Contact, after: Contact) {
    details = [before.details]
    methods = before.methods
    cards = [before.card]
    result = after.fingerprint
  }

  private var before: Contact? {
    guard let details = details.first, let card = cards.first else { return nil }
    return Contact(details: details, methods: methods, card: card)
  }
}

extension ContactMerge {
  /// Stores what two contacts have become under the number of the first, and deletes the other.
  static func store(
    _ result: Contact, of pair: ContactPair, at now: Instant, by keys: Keys,
    on connection: Connection
  ) throws {
    guard let before = try Contact.records.find(pair.one, by: keys, on: connection) else {
      throw Refusal.notFound
    }
    try Contact.records.delete(pair.other, at: now, by: keys, on: connection)
    try Contact.put(result, in: pair.one, by: keys, on: connection)
    let merge = ContactMerge(before: before, after: result)
    let sealed = try sealed.seal(merge, row: pair.other, by: keys)
    try connection.run(
      """
      INSERT INTO contacts_merges (gone, stayed, sealed) VALUES (\(pair.other), \(pair.one), \(sealed))
      ON CONFLICT (gone) DO UPDATE SET stayed = excluded.stayed, sealed = excluded.sealed
      """)
  }

  /// Undoes the merge in which a contact was deleted, if it was deleted so. What was changed since stays
  /// as it is: then only the deleted one comes back.
  static func undo(of gone: ID<Contact>, by keys: Keys, on connection: Connection) throws {
    let found = try connection.row(
      "SELECT stayed, sealed FROM contacts_merges WHERE gone = \(gone)"
    ) {
      (stayed: $0.id(0) as ID<Contact>, merge: try sealed.open($0.sealed(1), row: gone, by: keys))
    }
    guard let (stayed, merge) = found else { return }
    try connection.run("DELETE FROM contacts_merges WHERE gone = \(gone)")
    guard let now = try Contact.records.find(stayed, by: keys, on: connection),
      now.fingerprint == merge.result, let before = merge.before
    else { return }
    try Contact.put(before, in: stayed, by: keys, on: connection)
  }
}

extension Contact {
  /// Stores a contact in place of another, with what came with it from elsewhere.
  static func put(
    _ contact: Contact, in id: ID<Contact>, by keys: Keys, on connection: Connection
  ) throws {
    try records.replace(id, with: contact, by: keys, on: connection)
    try contact.card.store(for: id, by: keys, on: connection)
  }

  /// Its share in "Recently deleted": taking back one that was merged into another brings back both.
  static let trash: Trash = {
    let plain = records.trash(leadingTo: "{id}")
    return Trash(
      kind: plain.kind, list: plain.list,
      restore: { number, keys, connection in
        let path = try plain.restore(number, keys, connection)
        try ContactMerge.undo(of: ID(number), by: keys, on: connection)
        return path
      }, purge: plain.purge, purgeAll: plain.purgeAll)
  }()
}
