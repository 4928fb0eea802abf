import PolyclinicCore

/// The contract of a module's part of the data export: JSON, files and FHIR resources.
extension ModuleContract {
  /// Every part of the person's export is written without an error, and each FHIR resource can be
  /// referred to.
  func exportFails(for keys: Keys, in portal: TestPortal) throws -> [String] {
    let data = module.personalData
    let access = try portal.access(of: module.id)
    return try portal.read {
      let work = $0.with(keys)
      let json: [UInt8]
      let files: [ExportFile]
      do {
        json = try JSON.Writer.bytes { try data.export(work, $0) }
        files = data.files + (try data.attachments(work))
      } catch { return ["the export fails: \(error)"] }
      do { if !json.isEmpty { _ = try JSON(reading: json) } } catch {
        return [
          "the export is not valid JSON, perhaps because two members have one name: \(error)"
        ]
      }
      let names = Dictionary(grouping: files, by: \.name).filter { $0.value.count > 1 }.keys
      let unwritten = files.compactMap { file -> String? in
        do {
          try file.content(access, work, ByteSink { _ in })
          return nil
        } catch { return "the file \(file.name) of the export fails: \(error)" }
      }
      return names.sorted().map { "two files of the export have the name \($0)" } + unwritten
        + fhirFails(in: work)
    }
  }

  private func fhirFails(in work: Work) -> [String] {
    guard let fhir = module.personalData.fhir else { return [] }
    do {
      let bytes = try JSON.Writer.bytes { bundle in
        try bundle.writeArray("entry") { try fhir(work, $0) }
      }
      guard case .array(let resources) = try JSON(reading: bytes)["entry"] else { return [] }
      var references: Set<String> = []
      return resources.flatMap { Self.broken(of: $0, &references) }
    } catch { return ["the FHIR of the export fails: \(error)"] }
  }

  /// Returns the violations of a resource (HL7 FHIR R4, 2.24 and 2.26).
  private static func broken(of resource: JSON, _ references: inout Set<String>) -> [String] {
    guard let type = resource["resourceType"]?.text, !type.isEmpty else {
      return ["a FHIR resource of the export has no resourceType"]
    }
    guard let id = resource["id"]?.text, isID(id) else {
      return ["a FHIR resource \(type) of the export has no valid id"]
    }
    return references.insert("\(type)/\(id)").inserted
      ? [] : ["two FHIR resources of the export are \(type)/\(id)"]
  }

  /// Returns true for 1 to 64 letters, digits, hyphens and points (HL7 FHIR R4, 2.24.0.1, `id`).
  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.count)
      && text.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".")
      }
  }
}
