import PolyclinicCore

/// The page that shares the card of a country.
struct SharePage: RoutedPage {
  static let address: Address<String> = "/covid-stats/share/{country}"
  static let access = Access.toFigures

  private let card: ShareCard
  private let isPublic: Bool

  private var context: Context { card.views.context }

  init(_ context: Context) throws {
    card = try ShareCard(context)
    isPublic = try context.portal.settings.boolean("public")
  }

  /// The page, with buttons to share the card.
  var page: Page {
    let country = card.figures.country
    let (svg, png) = (ShareCard.drawing.path(country), ShareCard.picture.path(country))
    let address = "\(context.portal.origin)\(CountryPage.path(of: country))"
    // Warns that the link leads visitors to the sign-in page.
    let warning: HTML? =
      isPublic ? nil : "<p class=\"secondary-text\">\(context.text("share.closed"))</p>"
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
             hidden data-share="\(png)" data-link="\(CountryPage.path(of: country))" \
            data-text="\(card.summary)"
            """),
        context.copyButton("share.copy", of: "address", copied: "share.copied"),
        context.button(
          "share.png", to: png, style: .secondary, savedAs: "covid-19-\(country).png"),
        context.button(
          "share.svg", to: svg, style: .secondary, savedAs: "covid-19-\(country).svg"))\(warning)</section>
      """,
      back: CountryPage.path(of: country), assets: [.copy, .share])
    page.preview = card.preview
    return page
  }
}

extension ShareCard {
  static let drawing: Address<String> = "/covid-stats/share/{country}.svg"
  static let picture: Address<String> = "/covid-stats/share/{country}.png"

  /// Loads the card of the country in the request's path.
  fileprivate init(_ context: Context) throws {
    let country: String = try context.value("country")
    guard Figures.isCountry(country),
      let (figures, state) = try CountryFigures.findDated(country, in: context)
    else { throw Refusal.notFound }
    self.init(figures: figures, views: try FigureViews(context, state: state))
  }

  static func showDrawing(_ context: Context) throws -> Response {
    // The document contains the flag and may not load anything else.
    Response(200, .bytes(try ShareCard(context).svg.bytes, type: "image/svg+xml"))
      .adding(.init("Content-Security-Policy", "default-src 'none'; img-src data:"))
  }

  static func showPicture(_ context: Context) throws -> Response {
    let card = try ShareCard(context)
    let picture = CardPicture(country: card.figures.country, language: context.language)
    if let drawn = try picture.find(in: context) { return png(drawn) }
    let drawn = try picture.draw(card.svg)
    try context.portal.write { work in
      // Stores the picture only if the figures have not changed during the drawing. Otherwise the
      // next request draws it again.
      let isCurrent =
        try CountryFigures.findDated(picture.country, in: work).map {
          $0.figures == card.figures && $0.state.fetched == card.views.state.fetched
        } ?? false
      if isCurrent { try picture.save(drawn, in: work) }
    }
    return png(drawn)
  }

  private static func png(_ bytes: [UInt8]) -> Response {
    Response(200, .bytes(bytes, type: "image/png"))
  }

  /// The card as a link preview in messengers.
  var preview: Page.LinkPreview {
    Page.LinkPreview(
      title: CountryNames.name(figures.country, in: views.context.language), summary: summary,
      image: Self.picture.path(figures.country))
  }
}

extension Page.Asset {
  /// The script of the button that shares a card.
  static let share = Page.Asset("share.js", PackageResources.share_js)
}
