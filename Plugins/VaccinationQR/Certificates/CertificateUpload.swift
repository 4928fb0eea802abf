import PolyclinicCore

/// A file that is to be kept as a certificate.
struct CertificateUpload: Sendable {
  var label = ""
  var image = ""
  /// What was decoded of it.
  var document = Document()

  /// iPhones hand over JPEG in place of HEIC where `image/*` is not asked for.
  static let form = Form(
    CertificateUpload(),
    .file(
      \.image, "image", accept: "image/png,image/jpeg,image/webp,application/pdf",
      limit: DocumentDecoder.limit, hint: "field.image.hint"),
    .text(
      \.label, "label", limit: Certificate.labelLimit, autocomplete: "off",
      hint: "field.label.hint"))
}

extension VaccinationQRModule {
  var uploadRoute: Route {
    .form(
      "", CertificateUpload.form, in: listPage, submit: "upload.keep",
      prepare: { upload, context in
        let limit = try context.portal.settings.integer("max_bytes")
        upload.document = try context.document(in: "image", limit: limit)
      },
      save: { upload, context, connection in
        let id = try Certificate.insert(
          upload.document, label: upload.label, at: context.now, by: context.keys, on: connection)
        let path: Path = "\(id)"
        return path.query(["kept": upload.document.hasMorePages ? "part" : "yes"])
      })
  }
}
