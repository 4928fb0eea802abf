import PolyclinicCore
import PolyclinicDocuments

extension Certificate {
  /// Writes each certificate with the names of its pictures and the texts of its codes, deleted
  /// ones with the day.
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    try copy.writeArray("certificates") { list in
      try records.exportElements(in: work, to: list) { id, certificate, _ in
        let codes = try certificate.storedCodes(of: id, in: work)
        let payloads = codes.map { JSON.string(String(decoding: $0.payload, as: UTF8.self)) }
        let pictures = try pictures(of: id, in: work).map { JSON.string($0.name) }
        return [
          .init("label", .string(certificate.label)), .init("codes", .array(payloads)),
          .init("images", .array(pictures)),
        ]
      }
    }
  }

  /// Returns the pictures of all certificates as files, also those of deleted ones.
  static func attachments(_ work: Work) throws -> [ExportFile] {
    let certificates: [ID<Certificate>] = try work.rows(
      """
      SELECT id_certificate FROM vaccination_qr_certificates
      WHERE person = \(work.keys.person) ORDER BY id_certificate
      """
    ) { $0.id(0) }
    return try certificates.flatMap { try pictures(of: $0, in: work) }
  }

  /// Returns the pages and the drawn codes. Each is read only when it is written.
  private static func pictures(of id: ID<Certificate>, in work: Work) throws -> [ExportFile] {
    let names = try files.names(of: id, in: work)
    return try names.filter { $0.hasPrefix("page-") || $0.hasPrefix("drawing-") }.map { name in
      let suffix = try picture(name, of: id, in: work).suffix
      return ExportFile("certificates/\(id)-\(name).\(suffix)") { work, sink in
        try sink.write(try picture(name, of: id, in: work).bytes)
      }
    }
  }

  private static func picture(
    _ name: String, of id: ID<Certificate>, in work: Work
  ) throws -> Picture {
    try Picture(try files.find(name, of: id, in: work) ?? [])
  }

  /// Appends FHIR resources for the codes of all certificates, as far as FHIR can express them.
  static func fhir(_ work: Work, _ resources: JSON.Writer) throws {
    try records.forEach(in: work) { id, certificate in
      for code in try certificate.storedCodes(of: id, in: work) {
        let name = "certificate-\(id)-\(code.number)"
        for resource in Code(code.payload).certificate?.resources(id: name) ?? [] {
          try resources.append(resource)
        }
      }
    }
  }
}
