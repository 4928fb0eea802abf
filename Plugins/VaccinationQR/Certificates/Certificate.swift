import PolyclinicCore
import PolyclinicDocuments

/// A picture or PDF of a certificate, with the QR codes that were found in it.
struct Certificate: Resealable, Equatable {
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
  var unknown = Sealed.UnknownFields()

  static func == (one: Certificate, other: Certificate) -> Bool {
    (one.label, one.place, one.pages, one.codes, one.kind, one.holder)
      == (other.label, other.place, other.pages, other.codes, other.kind, other.holder)
  }
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
    .text(\.kind, "kind"), .text(\.holder, "holder"))

  /// The excerpt for the list and the dashboard.
  typealias Entry = Form<Certificate>.Excerpt

  /// The certificates are in the user's order.
  static let index = form.excerpt(
    in: "vaccination_qr_index", \.place, \.label, \.pages, \.kind, \.holder, by: \.place)

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
