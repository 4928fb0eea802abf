import PolyclinicCore

/// The page that shares the card of a country, and the card itself.
enum SharePage {
  static func routes(_ access: Access) -> [Route] {
    [
      .get("share/{country}", access: access, show),
      .get("share/{country}.svg", access: access, showCard),
      .get("share/{country}.png", access: access, showPicture),
    ]
  }

  /// Shows the card with buttons to share it.
  private static func show(_ context: Context) throws -> Response {
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
      \(actions:
        context.scriptButton(
          "share.sheet",
          attributes: """
             hidden data-share="\(png)" data-link="\(CountryLinks.page(country))" \
            data-text="\(card.summary)"
            """),
        context.copyButton("share.copy", of: "address", copied: "share.copied"),
        context.button(
          "share.png", to: png, style: .secondary, savedAs: "covid-19-\(country).png"),
        context.button(
          "share.svg", to: svg, style: .secondary, savedAs: "covid-19-\(country).svg"))\(try warning(context))</section>
      """,
      back: CountryLinks.page(country), scripts: ["copy.js", "share.js"])
    page.preview = card.preview
    return .page(page)
  }

  /// Warns that the link leads visitors to the sign-in page.
  private static func warning(_ context: Context) throws -> HTML? {
    if try context.portal.settings.boolean("public") { return nil }
    return "<p class=\"secondary-text\">\(context.text("share.closed"))</p>"
  }

  private static func showCard(_ context: Context) throws -> Response {
    // The document contains the flag and may not load anything else.
    Response(200, .bytes(try shareCard(context).svg.bytes, type: "image/svg+xml"))
      .adding(.init("Content-Security-Policy", "default-src 'none'; img-src data:"))
  }

  private static func showPicture(_ context: Context) throws -> Response {
    let card = try shareCard(context)
    let picture = CardPicture(country: card.figures.country, language: context.language)
    if let drawn = try picture.find(in: context) { return png(drawn) }
    let drawn = try picture.draw(card.svg)
    try context.portal.write { work in
      // Stores the picture only if the figures have not changed during the drawing. Otherwise the
      // next request draws it again.
      let isCurrent =
        try FigureTables.find(picture.country, in: work) == card.figures
        && RefreshState.find(in: work).fetched == card.views.state.fetched
      if isCurrent { try picture.save(drawn, in: work) }
    }
    return png(drawn)
  }

  private static func png(_ bytes: [UInt8]) -> Response {
    Response(200, .bytes(bytes, type: "image/png"))
  }

  private static func shareCard(_ context: Context) throws -> ShareCard {
    guard let country = context.request.parameters["country"], Figures.isCountry(country) else {
      throw Refusal.notFound
    }
    let figures = try FigureTables.find(country, in: context)
    let state = try RefreshState.find(in: context)
    guard let figures else { throw Refusal.notFound }
    return ShareCard(figures: figures, views: FigureViews(state: state, context: context))
  }
}

extension ShareCard {
  /// The card as a link preview in messengers.
  var preview: Page.LinkPreview {
    Page.LinkPreview(
      title: CountryNames.name(figures.country, in: views.context.language), summary: summary,
      image: CountryLinks.picture(figures.country))
  }
}

/// The paths of the pages of one country.
enum CountryLinks {
  static func page(_ country: String) -> Path { Path("/covid-stats").query(["country": country]) }
  static func information(_ country: String) -> Path {
    Path("/covid-stats/information").query(["country": country])
  }
  static func share(_ country: String) -> Path { "/covid-stats/share/\(country)" }
  static func card(_ country: String) -> Path { "/covid-stats/share/\(country).svg" }
  static func picture(_ country: String) -> Path { "/covid-stats/share/\(country).png" }
}
