import PolyclinicCore
import PolyclinicDocuments

/// A file of a certificate, with its name in storage.
enum CertificateFile {
  /// The picture of a page, from 1.
  case page(Int)
  /// A small picture of a page.
  case thumbnail(Int)
  /// The bytes of a code, from 1 in the order of the pages.
  case payload(Int)
  /// The modules of a redrawn code.
  case grid(Int)
  /// A redrawn code as a picture.
  case drawing(Int)

  var name: String {
    switch self {
    case .page(let number): "page-\(number)"
    case .thumbnail(let number): "thumbnail-\(number)"
    case .payload(let number): "payload-\(number)"
    case .grid(let number): "grid-\(number)"
    case .drawing(let number): "drawing-\(number)"
    }
  }
}

extension Certificate {
  /// Stores pages and codes as a new certificate, after the existing ones.
  static func insert(
    _ pages: [Document.Page], _ codes: [QRCode], label: String, in work: Work
  ) throws -> ID<Certificate> {
    var certificate = Certificate(label: label, pages: pages.count, codes: codes.count)
    if let first = codes.first.map({ Code($0.payload) }) {
      certificate.kind = first.kind
      certificate.holder = first.certificate?.holder.name ?? ""
    }
    certificate.place = (try entries(in: work).last?.record.place ?? 0) + 1
    let id = try records.insert(certificate, in: work)
    func store(_ bytes: [UInt8]?, as file: CertificateFile) throws {
      guard let bytes else { return }
      try files.insert(bytes, as: file.name, of: id, in: work)
    }
    for (number, page) in zip(1..., pages) {
      try store(page.picture.bytes, as: .page(number))
      try store(page.thumbnail?.bytes, as: .thumbnail(number))
    }
    for (number, code) in zip(1..., codes) {
      try store(code.payload, as: .payload(number))
      try store(code.drawing?.grid.bytes, as: .grid(number))
      try store(code.drawing?.picture.bytes, as: .drawing(number))
    }
    return id
  }

  /// Returns true if the person keeps a certificate with one of these codes.
  static func keeps(
    _ codes: [QRCode], in work: Work
  ) throws -> Bool {
    let payloads = Set(codes.map(\.payload))
    if payloads.isEmpty { return false }
    let names = (1...codeLimit).map { CertificateFile.payload($0).name }
    let stored = try files.find(names, of: entries(in: work).map(\.id), in: work)
    return stored.values.contains { $0.values.contains(where: payloads.contains) }
  }

  /// Returns all certificates of the person, in their order.
  static func entries(in work: Work) throws -> [Entry] {
    var entries: [Entry] = []
    try index.forEach(in: work) { entries.append($0) }
    return entries
  }

  /// Returns the first certificate in the order; nil if the person has none.
  static func first(in work: Work) throws -> Entry? {
    var first: Entry?
    try index.prefix(in: work) { entry in
      first = entry
      return false
    }
    return first
  }

  /// Returns a file of the person's certificate. Throws ``Refusal/notFound`` if it does not exist.
  static func file(
    _ file: CertificateFile, of id: ID<Certificate>, in work: Work
  ) throws -> [UInt8] {
    guard try records.find(id, in: work) != nil,
      let bytes = try files.find(file.name, of: id, in: work)
    else { throw Refusal.notFound }
    return bytes
  }
}
