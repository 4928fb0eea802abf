import PolyclinicCore

/// The undo record of a merge: the remaining contact as it was before. It is kept while the deleted
/// contact is in "Recently deleted"; restoring that one undoes the merge.
struct ContactMerge: Resealable {
  private var contacts: [Contact] = []
  private var cards: [ContactCard] = []
  /// The fingerprint of the merged contact.
  private var result = ""
  var unknown = Sealed.UnknownFields()

  private static let form = Form(
    ContactMerge(), .rows(\.contacts, "contact", limit: 1, of: Contact.form),
    .rows(\.cards, "card", limit: 1, of: ContactCard.form), .text(\.result, "result"))
  private static let sealed = SealedColumn("contacts_merges.sealed", form)

  /// The table of merges, by the deleted contact. A row is deleted with either of the two contacts.
  static let schema: SQL = """
    CREATE TABLE contacts_merges (
      gone \(.integer) PRIMARY KEY REFERENCES contacts (id_contact) ON DELETE CASCADE,
      stayed \(.integer) NOT NULL REFERENCES contacts (id_contact) ON DELETE CASCADE,
      sealed \(.bytes) NOT NULL
    ) \(.strict)
    """

  private init() {}

  private init(before: Contact, after: Contact) {
    contacts = [before]
    cards = [before.card]
    result = after.fingerprint
  }

  private var before: Contact? {
    guard var contact = contacts.first, let card = cards.first else { return nil }
    contact.card = card
    return contact
  }
}

extension ContactMerge {
  /// Stores the merged contact under the first one's id and deletes the other. Throws
  /// ``Refusal/notFound`` if the first does not exist.
  static func store(_ result: Contact, of pair: ContactPair, in work: Work) throws {
    guard let before = try Contact.records.find(pair.one, in: work) else {
      throw Refusal.notFound
    }
    try Contact.records.delete(pair.other, in: work)
    try Contact.put(result, in: pair.one, in: work)
    let merge = ContactMerge(before: before, after: result)
    let sealed = try sealed.seal(merge, row: pair.other, by: work.keys)
    try work.run(
      """
      INSERT INTO contacts_merges (gone, stayed, sealed) VALUES (\(pair.other), \(pair.one), \(sealed))
      ON CONFLICT (gone) DO UPDATE SET stayed = excluded.stayed, sealed = excluded.sealed
      """)
  }

  /// Undoes the merge that deleted this contact, if there was one. Leaves the remaining contact
  /// unchanged if it was edited since; then only the deleted one is restored.
  static func undo(of gone: ID<Contact>, in work: Work) throws {
    let found = try work.row(
      "SELECT stayed, sealed FROM contacts_merges WHERE gone = \(gone)"
    ) {
      (
        stayed: $0.id(0) as ID<Contact>,
        merge: try sealed.open($0.sealed(1), row: gone, by: work.keys)
      )
    }
    guard let (stayed, merge) = found else { return }
    try work.run("DELETE FROM contacts_merges WHERE gone = \(gone)")
    guard let now = try Contact.records.find(stayed, in: work),
      now.fingerprint == merge.result, let before = merge.before
    else { return }
    try Contact.put(before, in: stayed, in: work)
  }
}

extension Contact {
  /// Replaces a stored contact together with its imported card.
  static func put(_ contact: Contact, in id: ID<Contact>, in work: Work) throws {
    try records.replace(id, with: contact, in: work)
    try contact.card.store(for: id, in: work)
  }

  /// The contacts in "Recently deleted". Restoring a contact that was merged into another restores
  /// both.
  static let trash: Trash = {
    let plain = records.trash(leadingTo: ContactPage.address.pattern)
    return Trash(
      kind: plain.kind, list: plain.list,
      restore: { number, work in
        let path = try plain.restore(number, work)
        try ContactMerge.undo(of: ID(number), in: work)
        return path
      }, purge: plain.purge, purgeAll: plain.purgeAll)
  }()
}
