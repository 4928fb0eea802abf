import PolyclinicCore

extension VaccinationQRModule {
  /// All certificates, or the one of the query, as cards on one sheet of A4.
  func printCards(_ context: Context) throws -> Response {
    let asked = ID<Certificate>(context.request.query["certificate"])
    let printed = try context.database.read { connection in
      try Certificate.entries(by: context.keys, on: connection)
        .filter { asked == nil || $0.id == asked }
        .flatMap { try printedCards(of: $0, context, on: connection) }
    }
    if printed.isEmpty { throw Refusal.notFound }
    return .page(
      Page(
        "print.title",
        """
        <p class="actions" data-print hidden><button class="button">\(context.text("print.button"))</button></p>\
        <p class="hint unprinted">\(context.text("print.hint"))</p>\
        <ul class="printed-cards">\(each: printed, { "<li>\($0)</li>" })</ul>
        """, back: "", scripts: ["print.js"]))
  }

  /// A card for each code of a certificate that could be drawn.
  private func printedCards(
    of entry: Certificate.Entry, _ context: Context, on connection: Connection
  ) throws -> [HTML] {
    let certificate = try Certificate.load(entry.id, by: context.keys, on: connection)
    let codes = try certificate.storedCodes(of: entry.id, by: context.keys, on: connection)
    let name = CertificateViews.name(entry.label, context)
    return codes.compactMap { code in
      code.grid.map { grid in
        let code = Code(code.payload)
        let holder: HTML? = code.certificate.map { "<span><bdi>\($0.holder)</bdi></span>" }
        return """
          <div class="qr">\(grid.svg(label: context.text("code.label")))</div>\
          <p><strong><bdi>\(name)</bdi></strong>\(holder)\
          <span class="secondary-text">\(context.text(code.title))</span></p>
          """
      }
    }
  }
}
