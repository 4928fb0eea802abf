import PolyclinicCore

extension CovidStatsModule {
  var shareRoutes: [Route] {
    [
      .get("share/{country}", access: Self.access, showShare),
      .get("share/{country}.svg", access: Self.access, showCard),
      .get("share/{country}.png", access: Self.access, showPicture),
    ]
  }

  /// The card with the ways to hand it on.
  private func showShare(_ context: Context) throws -> Response {
    let card = try shareCard(context)
    let country = card.figures.country
    let (svg, png) = (CountryLinks.card(country), CountryLinks.picture(country))
    let address = "\(context.portal.origin)\(CountryLinks.page(country))"
    var page = Page(
      "share.title",
      """
      <p><img class="share-card" src="\(png)" alt="\(card.summary)" width="1200" height="630"></p>\
      <section class="panel"><h2>\(context.text("share.link"))</h2>\
      <p><code class="secret" id="address">\(address)</code></p>\
      <p class="actions"><button type="button" class="button" hidden data-share="\(png)" \
      data-link="\(CountryLinks.page(country))" data-text="\(card.summary)">\
      \(context.text("share.sheet"))</button>\
      <button type="button" class="button secondary" data-copy="address" \
      data-copied="\(context.text("share.copied"))" hidden>\(context.text("share.copy"))</button>\
      <a class="button secondary" href="\(png)" download="covid-19-\(country).png">\
      \(context.text("share.png"))</a>\
      <a class="button secondary" href="\(svg)" download="covid-19-\(country).svg">\
      \(context.text("share.svg"))</a></p>\(try access(context))</section>
      """,
      back: CountryLinks.page(country), scripts: ["copy.js", "share.js"])
    page.preview = card.preview
    return .page(page)
  }

  /// A link that leads others to the sign-in page says so before it is sent.
  private func access(_ context: Context) throws -> HTML? {
    if try context.portal.settings.boolean("public") { return nil }
    return "<p class=\"secondary-text\">\(context.text("share.closed"))</p>"
  }

  private func showCard(_ context: Context) throws -> Response {
    // The flag is a part of the document, and nothing else is fetched by it.
    Response(200, .bytes(try shareCard(context).svg.bytes, type: "image/svg+xml"))
      .adding(.init("Content-Security-Policy", "default-src 'none'; img-src data:"))
  }

  private func showPicture(_ context: Context) throws -> Response {
    let card = try shareCard(context)
    let picture = CardPicture(country: card.figures.country, language: context.language)
    let database = context.portal.database
    if let drawn = try database.read(picture.find) { return Self.png(drawn) }
    let drawn = try picture.draw(card.svg)
    try database.write { connection in
      // The figures may have changed meanwhile: then the next one is drawn anew.
      let isCurrent =
        try FigureTables.find(picture.country, on: connection) == card.figures
        && RefreshState.find(on: connection).fetched == card.views.state.fetched
      if isCurrent { try picture.save(drawn, on: connection) }
    }
    return Self.png(drawn)
  }

  private static func png(_ bytes: [UInt8]) -> Response {
    Response(200, .bytes(bytes, type: "image/png"))
  }

  private func shareCard(_ context: Context) throws -> ShareCard {
    guard let country = context.request.parameters["country"], Figures.isCountry(country) else {
      throw Refusal.notFound
    }
    let (figures, state) = try context.database.read { connection in
      (
        try FigureTables.find(country, on: connection), try RefreshState.find(on: connection)
      )
    }
    guard let figures else { throw Refusal.notFound }
    return ShareCard(figures: figures, views: FigureViews(state: state, context: context))
  }
}

extension ShareCard {
  /// The card as messengers show it.
  var preview: LinkPreview {
    LinkPreview(
      title: CountryNames.name(figures.country, in: views.context.language), summary: summary,
      image: CountryLinks.picture(figures.country))
  }
}

/// The addresses of one country.
enum CountryLinks {
  static func page(_ country: String) -> Path { Path("/covid-stats").query(["country": country]) }
  static func information(_ country: String) -> Path {
    Path("/covid-stats/information").query(["country": country])
  }
  static func share(_ country: String) -> Path { "/covid-stats/share/\(country)" }
  static func card(_ country: String) -> Path { "/covid-stats/share/\(country).svg" }
  static func picture(_ country: String) -> Path { "/covid-stats/share/\(country).png" }
}
