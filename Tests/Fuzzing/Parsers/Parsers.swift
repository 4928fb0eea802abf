import Foundation
import PolyclinicCore
import PolyclinicFormats
import PolyclinicTesting

@testable import Appointments
@testable import Contacts
@testable import PolyclinicWeb
@testable import VaccinationQR

/// Everything that takes bytes of strangers apart, by name. A parser may refuse anything, and end
/// on nothing.
nonisolated(unsafe) let parsers: [String: ([UInt8]) -> Void] = [
  "base45": { read(Array("HC1:".utf8) + $0) },
  "cbor": { _ = try? CBOR(reading: $0) },
  "cose": { _ = try? COSEMessage(reading: $0) },
  "passkey": readPasskey,
  "code": read,
  "health-card": { read(Array("shc:/".utf8) + $0) },
  "health-card-file": { _ = try? HealthCardFile(reading: $0) },
  "trust": { _ = try? TrustFile(reading: $0) },
  "json": { _ = try? JSON(reading: $0) },
  "csv": readTable,
  "vcard": readCards,
  "map": { _ = try? MapFile($0) },
  "multipart": { _ = MultipartForm($0, contentType: "multipart/form-data; boundary=b") },
  "request": answer,
]

/// Reads a code and says all that it says, in each language.
private func read(_ payload: [UInt8]) {
  let code = Code(payload)
  guard let certificate = code.certificate else { return }
  let formats = Language.allCases.map { Formats(language: $0, timeZone: .utc) }
  for statement in certificate.sections.flatMap(\.statements) {
    for formats in formats { _ = statement.value.words(in: formats) }
  }
  _ = certificate.fhir(id: "fuzz").map(\.encoded)
  _ = certificate.holder
}

/// Reads the parts of a response of an authenticator, each as if it came alone.
private func readPasskey(_ response: [UInt8]) {
  _ = try? PasskeyResponse(String(decoding: response, as: UTF8.self))
  _ = try? AuthenticatorData(reading: response)
}

/// Reads a table, also as an export of another program, with times in its first column.
private func readTable(_ file: [UInt8]) {
  _ = try? CSVTable(file)
  for language in Language.allCases {
    _ = try? CSVTable(export: DecodedFile(file, for: language).utf8, isHeading: { _ in false })
  }
  guard let table = try? CSVTable(export: file, isHeading: { $0.count > 2 }) else { return }
  for record in table.records where !table.columns.isEmpty {
    _ = WrittenTime(record[0])?.time(in: .utc, .dayFirst)
  }
}

private func readCards(_ file: [UInt8]) {
  for card in (try? ContactTable(file)?.cards) ?? [] { _ = try? CardReading(card) }
  var cards = VCardReader(file)
  while let card = try? cards.next() {
    if case .whole(let card) = card { _ = try? CardReading(card) }
  }
}

/// A portal that answers requests as they come from the web server; one thread asks it.
private nonisolated(unsafe) let visitor: TestVisitor? = {
  let portal = try? TestPortal(ContactsModule(), VaccinationQRModule())
  return portal?.visitor()
}()

/// The first line is the method and the address, then header lines to an empty one, then the body.
private func answer(_ request: [UInt8]) {
  let parts = request.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  let lines = parts.map { String(decoding: $0, as: UTF8.self) }
  let start = lines[0].split(separator: " ", maxSplits: 1).map(String.init)
  guard start.count == 2 else { return }
  let head = lines.dropFirst().prefix { !$0.isEmpty }
  var headers: [String: String] = [:]
  for line in head {
    let pair = line.split(separator: ":", maxSplits: 1).map(String.init)
    if pair.count == 2 { headers[pair[0]] = pair[1] }
  }
  let body = parts.dropFirst(head.count + 2).joined(separator: [UInt8(ascii: "\n")])
  _ = visitor?.send(start[0], start[1], body: Array(body), headers: headers)
}
