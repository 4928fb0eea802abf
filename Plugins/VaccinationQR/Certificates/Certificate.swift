import PolyclinicCore
import PolyclinicDocuments

/// A picture or PDF of a certificate, with the QR codes that were found in it.
struct Certificate: Resealable {
  /// The label that the user gave it, such as "Mother".
  var label = ""
  /// The position in the user's order, the lowest first.
  var place: Int? = 0
  /// The number of pages.
  var pages: Int? = 0
  /// The number of codes on the pages.
  var codes: Int? = 0
  /// The kind of the first code, as ``Code/kind``; empty if there is no code.
  var kind = ""
  /// The name of the person in the first code; empty if the code has none.
  var holder = ""
  /// The latest dose in the first code, such as "2/2"; empty if the code has none.
  var dose = ""
  /// The last day before the technical expiry of the first code; nil if it has none.
  var expires: CalendarDate?
  var unknown = Sealed.UnknownFields()
}

extension Certificate {
  static let labelLimit = 100
  /// The most codes of a certificate.
  static let codeLimit = 100

  private static let form = Form(
    Certificate(),
    .text(\.label, "label", limit: labelLimit),
    .integer(\.place, "place", in: -1_000_000_000...1_000_000_000),
    .integer(\.pages, "pages", in: 0...100), .integer(\.codes, "codes", in: 0...codeLimit),
    .text(\.kind, "kind"), .text(\.holder, "holder"), .text(\.dose, "dose"),
    .date(\.expires, "expires"))

  /// The excerpt for the list and the dashboard.
  typealias Entry = Form<Certificate>.Excerpt

  /// The certificates are in the user's order.
  static let index = form.excerpt(
    in: "vaccination_qr_index", \.place, \.label, \.pages, \.kind, \.holder, \.dose,
    \.expires, by: \.place)

  static let records = Records(
    "vaccination_qr_certificates", id: "id_certificate", form: form, index: index, title: \.label
  ).named("certificate", by: \.name)

  static let files = Attachments<Certificate>(
    "vaccination_qr_files", of: "vaccination_qr_certificates", id: "id_certificate")

  static let schema = records.schema + files.schema

  /// The label, or a default text if it is empty.
  var name: Text {
    label.isEmpty ? "certificate.unnamed" : Text("certificate.name", ["label": label])
  }
}

extension Certificate.Entry {
  /// True if the technical expiry has passed. False for a picture without a code.
  func isExpired(on today: CalendarDate) -> Bool { self.expires.map { $0 < today } ?? false }
}

extension Certificate {
  /// Returns all certificates of the person, in their order.
  static func entries(in work: Work) throws -> [Entry] {
    var entries: [Entry] = []
    try index.forEach(in: work) { entries.append($0) }
    return entries
  }

  /// Stores this certificate with another label.
  func rename(_ id: ID<Certificate>, to label: String, in work: Work) throws {
    var renamed = self
    renamed.label = label
    try Self.records.replace(Entry(self, id: id), with: renamed, in: work)
  }

  /// Returns the codes of each certificate, in their order, read by one statement. Throws
  /// ``DecodingFailure`` if one is missing.
  static func storedCodes(
    of certificates: [(id: ID<Certificate>, record: Certificate)], in work: Work
  ) throws -> [[StoredCode]] {
    let most = certificates.map { $0.record.codes ?? 0 }.max() ?? 0
    let names = (1..<1 + most).flatMap { [CertificateFile.payload($0), .grid($0)] }.map(\.name)
    let found = try files.find(names, of: certificates.map(\.id), in: work)
    return try certificates.map { id, certificate in
      try (1..<1 + (certificate.codes ?? 0)).map { number in
        guard let payload = found[id]?[CertificateFile.payload(number).name] else {
          throw DecodingFailure()
        }
        let grid = try found[id]?[CertificateFile.grid(number).name].map(ModuleGrid.init)
        return StoredCode(number: number, payload: payload, grid: grid)
      }
    }
  }

  /// Returns the codes in their order. Throws ``DecodingFailure`` if one is missing.
  func storedCodes(of id: ID<Certificate>, in work: Work) throws -> [StoredCode] {
    try Self.storedCodes(of: [(id, self)], in: work).flatMap(\.self)
  }
}

/// A stored code of a certificate.
struct StoredCode: Sendable {
  /// The number, from 1.
  let number: Int
  let payload: [UInt8]
  /// The modules of the drawn code; nil if scanning it would not return the same bytes.
  let grid: ModuleGrid?
}
