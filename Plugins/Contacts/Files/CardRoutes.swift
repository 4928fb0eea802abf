import PolyclinicCore
import PolyclinicFormats
import PolyclinicImports

/// Exports contacts as vCard files for other address books.
enum CardExport {
  /// The media type (RFC 6350, 10.1).
  static let mediaType: StaticString = "text/vcard; charset=utf-8"

  /// Returns one contact as a file. Throws ``Refusal/notFound`` if the person has no such contact.
  static func file(
    of id: ID<Contact>, at now: Instant, by keys: Keys, on connection: Connection
  ) throws -> [UInt8] {
    guard let contact = try Contact.records.find(id, by: keys, on: connection) else {
      throw Refusal.notFound
    }
    var lines = ContentLineWriter()
    contact.write(to: &lines, uid: try contact.uid(of: id, on: connection), at: now)
    return lines.bytes
  }

  /// Writes all contacts one by one, in the order of the list. Omits the revision time (`REV`) if `now`
  /// is nil.
  static func write(
    at now: Instant?, by keys: Keys, on connection: Connection, to sink: ByteSink
  ) throws {
    var lines = ContentLineWriter()
    try Contact.index.forEach(by: keys, on: connection) { entry in
      guard let contact = try Contact.records.find(entry.id, by: keys, on: connection) else {
        throw DecodingFailure()
      }
      contact.write(to: &lines, uid: try contact.uid(of: entry.id, on: connection), at: now)
      try lines.flush(to: sink)
    }
  }
}

extension Contact {
  /// The UID of this stored contact, by which other programs recognise it.
  fileprivate func uid(of id: ID<Contact>, on connection: Connection) throws -> String {
    if !card.uid.isEmpty { return card.uid }
    let madeAt = try connection.row("SELECT created_at FROM contacts WHERE id_contact = \(id)") {
      $0.instant(0)
    }
    guard let madeAt else { throw DecodingFailure() }
    return ContactCard.ownUID(of: id, madeAt: madeAt)
  }
}

/// The routes for importing a file, and for exporting all contacts or one.
enum CardRoutes {
  static var all: [Route] {
    Route.fileImport("import", fileImport, cancel: "") + [
      .get("export.vcf") { context in
        let now = context.now
        return try context.download(
          type: CardExport.mediaType, as: "contacts-\(context.today).vcf"
        ) { keys, connection, sink in
          try CardExport.write(at: now, by: keys, on: connection, to: sink)
        }
      },
      .get("{id}.vcf") { context in
        let file = try context.database.read {
          try CardExport.file(of: context.id(), at: context.now, by: context.keys, on: $0)
        }
        return .download(file, type: CardExport.mediaType, as: "contact.vcf")
      },
    ]
  }

  /// The import of a vCard file. It names invalid cards and takes the valid ones.
  private static let fileImport = FileImport(
    title: "import.title", about: "import.about", accept: ".vcf,text/vcard,text/x-vcard",
    limit: 8 << 20, tolerance: .leavingOutTheRefused,
    read: { file, context, connection in
      try ContactImport.read(file, by: context.keys, on: connection) { context.text($0) }
    },
    version: { try Contact.index.version(by: $0.keys, on: $1) },
    save: { items, context in
      try ContactImport.save(
        items, at: context.now, by: context.keys, in: context.portal.database)
    })
}
