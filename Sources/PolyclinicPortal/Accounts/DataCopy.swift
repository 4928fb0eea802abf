import PolyclinicCore
import PolyclinicWeb

/// A person's data export: everything that all modules store about them, including modules that are
/// off.
struct DataCopy {
  let server: ServerContext
  let now: Instant

  private var members: [InstalledModule] { server.installation.members }

  /// Writes the export as a ZIP archive: the profile, each module's data as JSON and in other file
  /// formats, and one FHIR Bundle.
  func write(by keys: Keys, on connection: Connection, to sink: ByteSink) throws {
    try ZIPWriter.write(to: sink, at: now) { archive in
      for member in members {
        let data = member.module.personalData
        try archive.addUnlessEmpty(Self.name(of: member)) { file in
          let copy = JSON.Writer(to: file)
          try data.export(keys, connection, copy)
          try copy.finish()
        }
        for file in data.files + (try data.attachments(keys, connection)) {
          try archive.add(file.name) {
            try file.content(server.portal(for: member), keys, connection, $0)
          }
        }
      }
      try archive.add("fhir.json") { try writeBundle(to: $0, by: keys, on: connection) }
    }
  }

  /// The JSON file of a module. The file of the accounts module is named after its content, the
  /// profile.
  private static func name(of member: InstalledModule) -> String {
    member.module is AccountsModule ? "profile.json" : "\(member.module.id).json"
  }

  /// Writes a Bundle of type `collection` (HL7 FHIR R4, 2.36) with one Patient that all other
  /// resources refer to.
  private func writeBundle(
    to file: ByteSink, by keys: Keys, on connection: Connection
  ) throws {
    let bundle = JSON.Writer(to: file)
    try bundle.write("resourceType", "Bundle")
    try bundle.write("type", "collection")
    try bundle.write("timestamp", .string(now.timestamp))
    try bundle.writeArray("entry", wrapping: Self.entry) { resources in
      for member in members {
        try member.module.personalData.fhir?(keys, connection, resources)
      }
    }
    try bundle.finish()
  }

  private static func entry(_ resource: JSON) -> JSON {
    .object([JSON.Member("resource", resource)])
  }
}
