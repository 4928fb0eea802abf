import PolyclinicCore
import PolyclinicDocuments

/// The full-screen page of a code, for an inspector to scan.
struct CertificateScreen: RoutedPage {
  static let address: Address<ID<Certificate>> = "/vaccination-qr/{id}/show"

  private let id: ID<Certificate>
  private let certificate: Certificate
  private let codes: [StoredCode]
  /// The requested code; nil for a certificate without codes.
  private let code: StoredCode?
  private let context: Context

  /// Throws ``Refusal/notFound`` if the requested code does not exist.
  init(_ context: Context) throws {
    self.context = context
    id = try context.id()
    certificate = try Certificate.records.load(context)
    codes = try certificate.storedCodes(of: id, in: context)
    let asked = context.request.query["number"]
    let number = asked.isEmpty ? 1 : Int(asked)
    code = codes.first { $0.number == number }
    guard asked.isEmpty || code != nil else { throw Refusal.notFound }
  }

  var page: Page {
    Page(
      "show.title",
      """
      <h1 class="hidden-text">\(context.text("show.title"))</h1>\
      \(code?.grid?.svg(label: context.text("code.label")) ?? image)\
      <p class="name">\(context.certificateName(certificate.label))</p>\
      \(others)\
      \(actions:
        context.button("show.close", to: CertificatePage.path(id), style: .secondary))
      """, width: .screen, hasOwnHeading: true)
  }

  /// The first page of the certificate, for a certificate without a code that can be drawn.
  private var image: HTML {
    """
    <img src="\(CertificateFile.image.path(id))" \
    alt="\(context.text("picture.page", ["number": "1"]))">
    """
  }

  private var others: HTML? {
    guard codes.count > 1 else { return nil }
    return context.tabs(
      "show.codes", codes.map(\.number), current: nil, content: { "\($0)" },
      to: { Self.path(id).query(["number": String($0)]) })
  }

  /// Returns the dashboard card of the first certificate, with a link to its full-screen page.
  static func card(_ context: Context) throws -> HTML? {
    var first: Certificate.Entry?
    try Certificate.index.prefix(in: context) { entry in
      first = entry
      return false
    }
    guard let first else { return nil }
    let stored = try Certificate.files.find(CertificateFile.grid(1).name, of: first.id, in: context)
    let grid = try stored.map(ModuleGrid.init)
    return """
      <a class="qr small" href="\(path(first.id))">\
      \(grid?.svg(label: context.text("show.button")))</a>\
      <p>\(context.certificateName(first.label))</p>\
      \(context.moreLink("card.more", to: CertificateList.path))
      """
  }
}
