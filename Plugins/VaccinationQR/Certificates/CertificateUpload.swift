import PolyclinicCore
import PolyclinicDocuments

/// The upload form of a certificate.
struct CertificateUpload: Sendable {
  var label = ""
  var image = ""
  /// The decoded pages of the file, and their codes.
  var pages: [Document.Page] = []
  var codes: [QRCode] = []
  var hasMorePages = false

  /// Lists the image types, because iPhones convert HEIC to JPEG only if `image/*` is not accepted.
  static let form = Form(
    CertificateUpload(),
    .file(
      \.image, "image",
      accept: "image/png,image/jpeg,image/webp,application/pdf,.smart-health-card",
      limit: DocumentDecoder.limit, hint: "field.image.hint"),
    .text(
      \.label, "label", limit: Certificate.labelLimit, autocomplete: "off",
      hint: "field.label.hint"))
}

extension CertificatePages {
  static var uploadRoute: Route {
    .form(
      "", CertificateUpload.form, in: listPage, submit: "upload.keep",
      prepare: { upload, context in try upload.read(context) },
      save: { upload, context in
        let isKept = try Certificate.keeps(upload.codes, in: context)
        let id = try Certificate.insert(
          upload.pages, upload.codes, label: upload.label, in: context)
        let path: Path = "\(id)"
        return path.query(["kept": upload.hasMorePages ? "part" : isKept ? "again" : "yes"])
      })
  }
}

extension CertificateUpload {
  /// Decodes the uploaded file. Throws ``Refusal/invalid(_:_:)`` with the reason if it cannot be
  /// read.
  fileprivate mutating func read(_ context: Context) throws {
    let file = context.request.files["image"] ?? []
    if let json = HealthCardFile.json(in: file) {
      codes = try Self.cards(in: json, context)
      return
    }
    let limit = try context.portal.settings.integer("max_bytes")
    let document = try context.document(in: "image", limit: limit)
    pages = document.pages
    codes = document.pages.flatMap(\.codes)
    hasMorePages = document.hasMorePages
  }

  /// The most cards of one file.
  private static let cardLimit = 8

  private static func cards(in file: [UInt8], _ context: Context) throws -> [QRCode] {
    let payloads: [String]
    do throws(CodeFault) { payloads = try HealthCardFile.payloads(in: file) } catch {
      throw Refusal.invalid("image", "error.health-card-file")
    }
    guard payloads.count <= cardLimit else {
      throw Refusal.invalid("image", "error.health-card-file")
    }
    return try payloads.map { try context.drawing(of: Array($0.utf8), in: "image") }
  }
}
