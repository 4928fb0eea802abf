import PolyclinicCore

/// Contacts as files for other address books.
enum CardExport {
  /// The media type (RFC 6350, 10.1).
  static let mediaType: StaticString = "text/vcard; charset=utf-8"

  /// One contact; throws ``Refusal/notFound`` where the person has none of that number.
  static func file(
    of id: ID<Contact>, at now: Instant, by keys: Keys, on connection: Connection
  ) throws -> [UInt8] {
    guard let contact = try Contact.records.find(id, by: keys, on: connection) else {
      throw Refusal.notFound
    }
    var lines = ContentLineWriter()
    let madeAt = try connection.row("SELECT created_at FROM contacts WHERE id_contact = \(id)") {
      $0.instant(0)
    }
    let own = ContactCard.ownUID(of: id, madeAt: madeAt ?? now)
    contact.write(to: &lines, uid: contact.card.uid.isEmpty ? own : contact.card.uid, at: now)
    return lines.bytes
  }

  /// All contacts, in the order of the list; without the moment where nobody asks for it.
  static func file(at now: Instant?, by keys: Keys, on connection: Connection) throws -> [UInt8] {
    let uids = try ContactCard.uids(by: keys, on: connection)
    var lines = ContentLineWriter()
    try Contact.index.forEach(by: keys, on: connection) { entry in
      guard let uid = uids[entry.id],
        let contact = try Contact.records.find(entry.id, by: keys, on: connection)
      else { throw DecodingFailure() }
      contact.write(to: &lines, uid: uid, at: now)
    }
    return lines.bytes
  }
}

extension ContactsModule {
  /// The ways in and out: a file of cards, all contacts in a file, or one.
  var cardRoutes: [Route] {
    Route.intake("import", Self.intake, cancel: "") + [
      .get("export.vcf") { context in
        let file = try context.database.read {
          try CardExport.file(at: context.now, by: context.keys, on: $0)
        }
        return .download(file, type: CardExport.mediaType, as: "contacts-\(context.today).vcf")
      },
      .get("{id}.vcf") { context in
        let file = try context.database.read {
          try CardExport.file(of: context.id(), at: context.now, by: context.keys, on: $0)
        }
        return .download(file, type: CardExport.mediaType, as: "contact.vcf")
      },
    ]
  }

  /// A broken card is named, and the others can go in.
  private static let intake = Intake(
    title: "import.title", about: "import.about", accept: ".vcf,text/vcard,text/x-vcard",
    limit: 8 << 20, tolerance: .leavingOutTheRefused,
    read: { file, context, connection in
      try ContactImport.read(file, by: context.keys, on: connection) { context.text($0) }
    },
    save: { items, context, connection in
      try ContactImport.save(items, at: context.now, by: context.keys, on: connection)
    })
}
