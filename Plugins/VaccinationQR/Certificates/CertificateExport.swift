import PolyclinicCore
import PolyclinicDocuments

extension Certificate {
  /// Writes each certificate with the names of its pictures and the texts of its codes, deleted ones with the day.
  @Sendable
  static func export(_ keys: Keys, _ connection: Connection, _ copy: JSON.Writer) throws {
    try copy.writeArray("certificates") { list in
      try records.exportElements(by: keys, on: connection, to: list) { id, certificate, _ in
        let codes = try certificate.storedCodes(of: id, by: keys, on: connection)
        let payloads = codes.map { JSON.string(String(decoding: $0.payload, as: UTF8.self)) }
        let pictures = try pictures(of: id, by: keys, on: connection).map { JSON.string($0.name) }
        return [
          .init("label", .string(certificate.label)), .init("codes", .array(payloads)),
          .init("images", .array(pictures)),
        ]
      }
    }
  }

  /// Returns the pictures of all certificates as files, also those of deleted ones.
  @Sendable
  static func attachments(_ keys: Keys, _ connection: Connection) throws -> [ExportFile] {
    let certificates: [ID<Certificate>] = try connection.rows(
      """
      SELECT id_certificate FROM vaccination_qr_certificates
      WHERE person = \(keys.person) ORDER BY id_certificate
      """
    ) { $0.id(0) }
    return try certificates.flatMap { try pictures(of: $0, by: keys, on: connection) }
  }

  /// Returns the pages and the drawn codes. Each is read only when it is written.
  private static func pictures(
    of id: ID<Certificate>, by keys: Keys, on connection: Connection
  ) throws -> [ExportFile] {
    let names = try files.names(of: id, by: keys, on: connection)
    return try names.filter { $0.hasPrefix("page-") || $0.hasPrefix("drawing-") }.map { name in
      let suffix = try picture(name, of: id, by: keys, on: connection).suffix
      return ExportFile("certificates/\(id)-\(name).\(suffix)") { keys, connection, sink in
        try sink.write(try picture(name, of: id, by: keys, on: connection).bytes)
      }
    }
  }

  private static func picture(
    _ name: String, of id: ID<Certificate>, by keys: Keys, on connection: Connection
  ) throws -> Picture {
    try Picture(try files.find(name, of: id, by: keys, on: connection) ?? [])
  }
}
