import PolyclinicCore

extension CertificatePages {
  /// Shows all certificates, or the one of the query, as cards on A4 paper.
  static func printCards(_ context: Context) throws -> Response {
    let asked = ID<Certificate>(context.request.query["certificate"])
    let printed = try Certificate.entries(in: context)
      .filter { asked == nil || $0.id == asked }
      .flatMap { try printedCards(of: $0, context) }
    if printed.isEmpty { throw Refusal.notFound }
    return .page(
      Page(
        "print.title",
        """
        \(context.printAction("print.button"))\
        <p class="hint unprinted">\(context.text("print.hint"))</p>\
        <ul class="printed-cards">\(each: printed, { "<li>\($0)</li>" })</ul>
        """, back: "", assets: [.certificates, .print]))
  }

  /// Returns a card for each code of a certificate that can be drawn.
  static func printedCards(
    of entry: Certificate.Entry, _ context: Context
  ) throws -> [HTML] {
    let certificate = try Certificate.load(entry.id, in: context)
    let codes = try certificate.storedCodes(of: entry.id, in: context)
    let name = CertificateViews.name(entry.label, context)
    return codes.compactMap { code in
      code.grid.map { grid in
        let code = Code(code.payload)
        let holder: HTML? = code.certificate.map { "<span><bdi>\($0.holder.name)</bdi></span>" }
        return """
          <div class="qr">\(grid.svg(label: context.text("code.label")))</div>\
          <p><strong><bdi>\(name)</bdi></strong>\(holder)\
          <span class="secondary-text">\(context.text(code.title))</span></p>
          """
      }
    }
  }
}
