import PolyclinicCore

/// A person's copy of everything that all modules keep about them, also of those that are off.
struct DataCopy {
  let front: Front
  let now: Instant

  private var members: [Installation.Member] { front.installation.members }

  /// Writes the copy as a ZIP archive: the profile, each module's data as JSON and in the formats of other
  /// programs, and what FHIR has words for as one Bundle.
  func write(by keys: Keys, on connection: Connection, to sink: ByteSink) throws {
    try ZIPWriter.write(to: sink, at: now) { archive in
      for member in members {
        let data = member.module.personalData
        try archive.addUnlessEmpty(Self.name(of: member)) { file in
          let copy = JSONWriter(to: file)
          try data.export(keys, connection, copy)
          try copy.finish()
        }
        for file in data.files + (try data.attachments(keys, connection)) {
          try archive.add(file.name) {
            try file.content(front.portal(for: member), keys, connection, $0)
          }
        }
      }
      try archive.add("fhir.json") { try writeBundle(to: $0, by: keys, on: connection) }
    }
  }

  /// What accounts keep is the person.
  private static func name(of member: Installation.Member) -> String {
    member.module is AccountsModule ? "profile.json" : "\(member.module.id).json"
  }

  /// Writes a Bundle of type `collection` (HL7 FHIR R4, 2.36), about one Patient whom the others refer to.
  private func writeBundle(
    to file: ByteSink, by keys: Keys, on connection: Connection
  ) throws {
    let bundle = JSONWriter(to: file)
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
