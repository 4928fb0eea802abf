import PolyclinicCore
import PolyclinicFormats
import PolyclinicImports

/// The export of contacts as vCard files for other address books.
extension ContactCard {
  /// The media type (RFC 6350, 10.1).
  private static let mediaType: StaticString = "text/vcard; charset=utf-8"

  /// Returns one contact as a file. Throws ``Refusal/notFound`` if the person has no such contact.
  private static func file(of id: ID<Contact>, in work: Work) throws -> [UInt8] {
    guard let contact = try Contact.records.find(id, in: work) else { throw Refusal.notFound }
    var lines = ContentLineWriter()
    contact.write(to: &lines, uid: try contact.uid(of: id, in: work), at: work.now)
    return lines.bytes
  }

  /// Writes all contacts one by one, in the order of the list. Omits the revision time (`REV`) if
  /// `now` is nil.
  static func writeAll(at now: Instant?, in work: Work, to sink: ByteSink) throws {
    var lines = ContentLineWriter()
    try Contact.index.forEach(in: work) { entry in
      guard let contact = try Contact.records.find(entry.id, in: work) else {
        throw DecodingFailure()
      }
      contact.write(to: &lines, uid: try contact.uid(of: entry.id, in: work), at: now)
      try lines.flush(to: sink)
    }
  }
}

extension Contact {
  /// The UID of this stored contact, by which other programs recognise it.
  fileprivate func uid(of id: ID<Contact>, in work: Work) throws -> String {
    if !card.uid.isEmpty { return card.uid }
    let madeAt = try work.row("SELECT created_at FROM contacts WHERE id_contact = \(id)") {
      $0.instant(0)
    }
    guard let madeAt else { throw DecodingFailure() }
    return ContactCard.ownUID(of: id, madeAt: madeAt)
  }
}

/// The routes for importing a file, and for exporting all contacts or one.
extension ContactCard {
  static let upload: Address<Void> = "/contacts/import"
  static let export: Address<Void> = "/contacts/export.vcf"
  static let download: Address<ID<Contact>> = "/contacts/{id}.vcf"

  static var routes: [Route] {
    Route.fileImport(upload.path, fileImport, cancel: ContactList.path) + [
      .get(export.path) { context in
        let now = context.now
        return try context.download(
          type: mediaType, as: "contacts-\(context.today).vcf"
        ) { work, sink in
          try writeAll(at: now, in: work, to: sink)
        }
      },
      .get(download.pattern) { context in
        let file = try file(of: context.id(), in: context)
        return .download(file, type: mediaType, as: "contact.vcf")
      },
    ]
  }

  /// The import of a vCard file or a table. It names invalid cards and takes the valid ones.
  private static let fileImport = FileImport(
    title: "import.title", about: "import.about",
    guide: ["import.guide.google", "import.guide.apple", "import.guide.outlook"],
    accept: ".vcf,.csv,text/vcard,text/x-vcard,text/csv",
    limit: 8 << 20, tolerance: .leavingOutTheRefused,
    options: Form(NoOptions()),
    read: { file, _, context in
      ImportReading(try ContactImport.read(file, in: context) { context.text($0) })
    },
    version: { try Contact.index.version(in: $0) },
    save: { items, context in
      try ContactImport.save(items, context)
    })
}
