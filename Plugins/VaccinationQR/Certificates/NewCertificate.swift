import PolyclinicCore
import PolyclinicDocuments

/// A certificate before it is stored: a sent file with its label, or codes alone.
struct NewCertificate: Sendable {
  var label = ""
  var image = ""
  /// The decoded pages of the file, and their codes.
  var pages: [Document.Page] = []
  var codes: [QRCode] = []
  var hasMorePages = false

  /// Lists the image types, because iPhones convert HEIC to JPEG only if `image/*` is not accepted.
  static let form = Form(
    NewCertificate(),
    .file(
      \.image, "image",
      accept: "image/png,image/jpeg,image/webp,application/pdf,.smart-health-card",
      limit: DocumentDecoder.limit, hint: "field.image.hint"),
    .text(
      \.label, "label", limit: Certificate.labelLimit, autocomplete: "off",
      hint: "field.label.hint"))
}

extension NewCertificate {
  /// The most cards of one file.
  private static let cardLimit = 8

  /// Decodes the uploaded file. Throws ``Refusal/invalid(_:_:)`` with the reason if it cannot be
  /// read.
  mutating func read(_ context: Context) throws {
    if let json = HealthCardFile.json(in: context.request.files["image"] ?? []) {
      guard let cards = try? HealthCardFile(reading: json).payloads, cards.count <= Self.cardLimit
      else {
        throw Refusal.invalid("image", "error.health-card-file")
      }
      codes = try cards.map { try context.drawing(of: Array($0.utf8), in: "image") }
      return
    }
    let limit = try context.portal.settings.integer("max_bytes")
    let document = try context.document(in: "image", limit: limit)
    pages = document.pages
    codes = document.pages.flatMap(\.codes)
    hasMorePages = document.hasMorePages
  }

  /// Returns true if the person keeps a certificate with one of the codes.
  func isKept(in work: Work) throws -> Bool {
    let payloads = Set(codes.map(\.payload))
    if payloads.isEmpty { return false }
    let names = (1...Certificate.codeLimit).map { CertificateFile.payload($0).name }
    let stored = try Certificate.files.find(
      names, of: Certificate.entries(in: work).map(\.id), in: work)
    return stored.values.contains { $0.values.contains(where: payloads.contains) }
  }

  /// Stores the pages and codes as a certificate after the existing ones.
  func insert(in work: Work) throws -> ID<Certificate> {
    var certificate = Certificate(label: label, pages: pages.count, codes: codes.count)
    if let first = codes.first.map({ Code($0.payload) }) {
      certificate.kind = first.kind
      certificate.holder = first.certificate?.holder.name ?? ""
      certificate.dose = first.certificate?.latestDose ?? ""
      certificate.expires = first.certificate?.validity.lastDay
    }
    certificate.place = (try Certificate.entries(in: work).last?.record.place ?? 0) + 1
    let id = try Certificate.records.insert(certificate, in: work)
    func store(_ bytes: [UInt8]?, as file: CertificateFile) throws {
      guard let bytes else { return }
      try Certificate.files.insert(bytes, as: file.name, of: id, in: work)
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
}

/// The form for a new certificate.
struct AddCertificate: RoutedForm {
  static let address: Address<Void> = "/vaccination-qr/new"
  static let title: Text = "list.new"
  static let form = NewCertificate.form
  static let submit: Text = "upload.keep"
  static let cancel = CertificateList.path
  static let preparesOnce = true

  private let context: Context

  init(_ context: Context) { self.context = context }

  func page(around form: HTML) -> Page? {
    Page(
      Self.title,
      """
      <section data-paste><p class="hint" data-paste-hint hidden>\(context.text("upload.paste"))</p>\
      \(form)</section>
      """, back: Self.cancel, assets: [.certificates, .paste])
  }

  func prepare(_ certificate: inout NewCertificate, in context: Context) throws {
    try certificate.read(context)
  }

  func save(_ certificate: NewCertificate, in context: Context) throws -> Redirect {
    let isKept = try certificate.isKept(in: context)
    let id = try certificate.insert(in: context)
    let kept = certificate.hasMorePages ? "part" : isKept ? "again" : "yes"
    return Redirect(to: CertificatePage.path(id).query(["kept": kept]))
  }
}
