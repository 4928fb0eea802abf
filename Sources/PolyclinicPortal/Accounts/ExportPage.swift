import PolyclinicCore
import PolyclinicWeb

/// The page for downloading a copy of all one's data. A guardian gets a copy of the records that the
/// guardian reads.
struct ExportPage: RoutedPage {
  static let address: Address<Void> = "/account/export"

  private let context: Context

  init(_ context: Context) { self.context = context }

  var page: Page {
    let inCare = context.visitor?.inCare.map { ["name": $0.name] }
    return Page(
      inCare.map { Text("export.title.other", $0) } ?? "export.title",
      """
      <p class="lead">\(context.text(inCare.map { Text("export.lead.other", $0) } ?? "export.lead"))</p>\
      <p>\(context.text("export.deleted")) \
      <a href="\(DeletedPage.path)">\(context.text("deleted.title"))</a></p>\
      \(context.notice(.remark, "export.care", as: .warning))\
      \(context.button("export.get", posts: Self.path))
      """, back: context.wayToAccount)
  }

  static func download(_ context: Context) throws -> Response {
    guard context.visitor?.inCare?.showsRecords != false else { throw Refusal.forbidden }
    let copy = DataCopy(server: context.server, visitor: context.visitor)
    return try context.download(
      type: "application/zip", as: "polyclinic-\(context.today).zip", copy.write)
  }
}

/// A person's data export: everything that all modules store about them, including modules that are
/// off.
struct DataCopy {
  let server: ServerContext
  /// The reader; nil for the operator of the server.
  let visitor: Visitor?

  /// The modules whose records the reader may read. An account, its inbox and its address book are
  /// never a guardian's.
  private var members: [InstalledModule] {
    server.installation.members.filter { $0.module.allows(.get, visitor) }
  }

  /// Writes the export as a ZIP archive: the profile, each module's data as JSON and in other file
  /// formats, and one FHIR Bundle.
  func write(in work: Work, to sink: ByteSink) throws {
    try ZIPWriter.write(to: sink, at: work.now) { archive in
      for member in members {
        let data = member.module.personalData
        try archive.addUnlessEmpty(Self.name(of: member)) { file in
          let copy = JSON.Writer(to: file)
          try data.export(work, copy)
          try copy.finish()
        }
        for file in data.files + (try data.attachments(work)) {
          try archive.add(file.name) {
            try file.content(server.portal(for: member), work, $0)
          }
        }
      }
      try archive.add("fhir.json") { try writeBundle(to: $0, in: work) }
    }
  }

  /// The JSON file of a module. The file of the accounts module is named after its content, the
  /// profile.
  private static func name(of member: InstalledModule) -> String {
    member.module is AccountsModule ? "profile.json" : "\(member.module.id).json"
  }

  /// Writes a Bundle of type `collection` (HL7 FHIR R4, 2.36) with one Patient that all other
  /// resources refer to.
  private func writeBundle(to file: ByteSink, in work: Work) throws {
    let bundle = JSON.Writer(to: file)
    try bundle.write("resourceType", "Bundle")
    try bundle.write("type", "collection")
    try bundle.write("timestamp", .string(work.now.timestamp))
    try bundle.writeArray("entry", wrapping: Self.entry) { resources in
      if let inCare = visitor?.inCare {
        try resources.append(Profile.patientResource(naming: inCare.name))
      }
      for member in members {
        try member.module.personalData.fhir?(work, resources)
      }
    }
    try bundle.finish()
  }

  private static func entry(_ resource: JSON) -> JSON {
    .object([JSON.Member("resource", resource)])
  }
}
