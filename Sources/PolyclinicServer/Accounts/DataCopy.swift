import PolyclinicCore

/// A person's copy of everything that all modules keep about them, also of those that are off.
struct DataCopy {
  let members: [Installation.Member]
  let keys: Keys
  let now: Instant

  /// The files of the copy: the profile, each module's data as JSON and in the formats of other
  /// programs, and what FHIR has words for as one Bundle.
  func files(on connection: Connection) throws -> [(name: String, content: [UInt8])] {
    var files: [(name: String, content: [UInt8])] = []
    var resources: [JSON] = []
    for member in members {
      let data = member.module.personalData
      let value = try data.export(keys, connection)
      if !value.isNothing { files.append((Self.name(of: member), value.encoded)) }
      for file in data.files { files.append((file.name, try file.content(keys, connection))) }
      if case .array(let more)? = try data.fhir?(keys, connection) { resources += more }
    }
    if !resources.isEmpty { files.append(("fhir.json", bundle(of: resources).encoded)) }
    return files
  }

  /// What accounts keep is the person.
  private static func name(of member: Installation.Member) -> String {
    member.module is AccountsModule ? "profile.json" : "\(member.module.id).json"
  }

  /// A Bundle of type `collection` (HL7 FHIR R4, 2.36), about one Patient whom the others refer to.
  private func bundle(of resources: [JSON]) -> JSON {
    [
      "resourceType": "Bundle", "type": "collection",
      "timestamp": .string(now.timestamp),
      "entry": .array(resources.map { .object([JSON.Member("resource", $0)]) }),
    ]
  }
}

extension JSON {
  fileprivate var isNothing: Bool {
    switch self {
    case .null, .object([]), .array([]): true
    default: false
    }
  }
}
