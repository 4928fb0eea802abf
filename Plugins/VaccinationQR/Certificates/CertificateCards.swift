import PolyclinicCore

/// The page with all certificates, or the one of the query, as cards on A4 paper.
struct CertificateCards: RoutedPage {
  static let address: Address<Void> = "/vaccination-qr/print"

  /// The cards of each certificate: one for each code that can be drawn.
  private let cards: [(entry: Certificate.Entry, drawn: [HTML])]
  private let context: Context

  init(_ context: Context) throws {
    let asked = ID<Certificate>(context.request.query["certificate"])
    try self.init(context) { asked == nil || $0.id == asked }
    if cards.allSatisfy(\.drawn.isEmpty) { throw Refusal.notFound }
  }

  private init(_ context: Context, of isIncluded: (Certificate.Entry) -> Bool) throws {
    self.context = context
    let entries = try Certificate.entries(in: context).filter(isIncluded)
    let records = try Certificate.records.find(entries.map(\.id), in: context)
    let certificates = try entries.map { entry in
      guard let record = records[entry.id] else { throw Refusal.notFound }
      return (id: entry.id, record: record)
    }
    cards = zip(entries, try Certificate.storedCodes(of: certificates, in: context)).map {
      entry, codes in (entry, codes.compactMap { Self.card($0, entry, context) })
    }
  }

  private static func card(
    _ stored: StoredCode, _ entry: Certificate.Entry, _ context: Context
  ) -> HTML? {
    guard let grid = stored.grid else { return nil }
    let code = Code(stored.payload)
    let holder: HTML? = code.certificate.map { "<span><bdi>\($0.holder.name)</bdi></span>" }
    return """
      <div class="qr">\(grid.svg(label: context.text("code.label")))</div>\
      <p><strong><bdi>\(context.certificateTitle(entry.label, of: entry.holder))</bdi></strong>\(holder)\
      <span class="secondary-text">\(context.text(code.title))</span></p>
      """
  }

  var page: Page {
    Page(
      "print.title",
      """
      \(context.printAction("print.button"))\
      <p class="hint unprinted">\(context.text("print.hint"))</p>\
      \(Self.list(cards.flatMap(\.drawn)))
      """, back: CertificateList.path, assets: [.certificates, .print])
  }

  private static func list(_ cards: [HTML]) -> HTML {
    "<ul class=\"printed-cards\">\(each: cards, { "<li>\($0)</li>" })</ul>"
  }

  /// Returns the certificates for offline use: each code with its name, holder and kind. Pictures
  /// are not stored offline.
  static func offline(_ context: Context) throws -> HTML? {
    let cards = try CertificateCards(context) { _ in true }.cards.flatMap { entry, drawn in
      drawn.isEmpty ? [pictureCard(entry, context)] : drawn
    }
    return cards.isEmpty ? nil : list(cards)
  }

  private static func pictureCard(_ entry: Certificate.Entry, _ context: Context) -> HTML {
    """
    <p><strong><bdi>\(context.certificateTitle(entry.label, of: entry.holder))</bdi></strong>\
    <span class="secondary-text">\(context.text("offline.picture"))</span></p>
    """
  }
}
