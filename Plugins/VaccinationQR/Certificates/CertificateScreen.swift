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
      <p class="name"><bdi>\(context.certificateTitle(certificate.label, of: certificate.holder))</bdi></p>\
      \(context.termBadge(lastDay).map { "<p>\($0)</p>" })\
      \(others)\
      \(actions:
        context.button("show.close", to: CertificatePage.path(id), style: .secondary))
      """, assets: [.screen, .certificates], width: .screen, hasOwnHeading: true)
  }

  /// The day of the technical expiry of the shown code.
  private var lastDay: CalendarDate? {
    code.flatMap { Code($0.payload).certificate?.validity.lastDay }
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

  /// The most certificates of the dashboard card.
  private static let mostInCard = 3

  /// Returns the dashboard card of the first certificates that have not expired, with links to their
  /// full-screen pages, and the number of those that have. If all have, that number is the card.
  static func card(_ context: Context) throws -> HTML? {
    var valid: [Certificate.Entry] = []
    var expired = 0
    try Certificate.index.forEach(in: context) { entry in
      if entry.isExpired(on: context.today) {
        expired += 1
      } else if valid.count < mostInCard {
        valid.append(entry)
      }
    }
    let others: HTML? =
      expired == 0
      ? nil : "<p class=\"secondary-text\">\(context.text("card.expired", count: expired))</p>"
    if valid.isEmpty { return others }
    let rows = valid.map { entry in
      HTML.row(
        to: path(entry.id), "<bdi>\(context.certificateHolder(entry))</bdi>",
        mark: context.termBadge(entry.expires), detail: context.certificateDetail(entry))
    }
    return "\(rows: rows)\(others)"
  }
}
