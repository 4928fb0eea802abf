import PolyclinicCore

/// The page with the figures of one country.
struct CountryPage: RoutedPage {
  static let address: Address<Void> = "/covid-stats"
  static let refreshing: Address<Void> = "/covid-stats/refresh"
  static let access = Access.toFigures
  /// The field of the query after a request that started no refresh.
  private static let asked = "refresh"

  private let country: String
  private let figures: CountryFigures?
  private let views: FigureViews

  private var context: Context { views.context }

  init(_ context: Context) throws {
    country = try ChosenCountry.shown(context)
    figures = try CountryFigures.find(country, in: context)
    views = try FigureViews(context)
  }

  /// Returns the path of the page of a country.
  static func path(of country: String) -> Path { path.query(["country": country]) }

  /// Asks for a refresh of the figures.
  static func refresh(_ context: Context) throws -> Response {
    let country = context.request.fields["country"]
    let page = Figures.isCountry(country) ? path(of: country) : path
    // Reads first, because most requests change nothing and need not wait for a write transaction.
    let state = try RefreshState.find(in: context)
    guard state.takesRequest(at: context.now) else {
      return .redirect(to: page.query([asked: "yes"]))
    }
    return try context.change { context in
      var state = try RefreshState.find(in: context)
      if state.takesRequest(at: context.now) {
        state.requested = context.now
        try state.save(in: context)
      }
      return page
    }
  }

  var page: Page {
    var page = Page(
      "covid.title",
      """
      <div class="title"><h1>\(views.flag(country)) \
      <bdi>\(CountryNames.name(country, in: context.language))</bdi></h1>\
      \(actions:
        context.button("country.other", to: CountriesPage.path, style: .secondary),
        shareLink,
        refreshButton)</div>\
      \(views.notices)\(fresh)\(figures.map(content) ?? missing)\(views.provenance)
      """,
      hasOwnHeading: true, refresh: views.state.isUnderWay(at: context.now) ? 3 : nil)
    page.keptOffline = [Self.path(of: country), InformationPage.path(of: country)]
    // Link previews are for visitors without a session only, because messengers do not sign in.
    if context.visitor == nil {
      page.preview = figures.map { ShareCard(figures: $0, views: views).preview }
    }
    return page
  }

  /// The answer to a request for figures that were fetched a moment ago; nil without one.
  private var fresh: HTML? {
    guard context.request.query.contains(Self.asked), views.state.isFresh(at: context.now),
      let fetched = views.state.fetched
    else { return nil }
    return context.notice(
      .outcome, Text("refresh.fresh", ["time": context.formats.time(fetched)]), as: .information)
  }

  private var missing: HTML {
    views.state.fetched == nil
      ? views.nothingYet : context.emptyState(.chart, hint: "country.missing")
  }

  private var shareLink: HTML? {
    if figures == nil { return nil }
    return context.button("share.title", to: SharePage.path(country), style: .secondary)
  }

  private var refreshButton: HTML? {
    if views.state.isFictional || views.state.isUnderWay(at: context.now) { return nil }
    let isOwn = context.request.query["country"].isEmpty
    return context.button(
      "refresh.now", posts: Self.refreshing.path, with: isOwn ? [:] : ["country": country],
      style: .secondary)
  }

  private func content(_ figures: CountryFigures) -> HTML {
    """
    \(stopped(figures))<div class="cards">\
    \(card("figure.new-cases", figures.latest.cases, figures.previous.cases, figures))\
    \(card("figure.new-deaths", figures.latest.deaths, figures.previous.deaths, figures))</div>\
    \(totals(figures))\
    \(actions:
      context.button("trend.title", to: TrendPage.path.query(["country": country]), style: .secondary),
      context.button("information.link", to: InformationPage.path(of: country), style: .secondary))
    """
  }

  private func stopped(_ figures: CountryFigures) -> HTML? {
    figures.stopped.map { day in
      context.notice(
        .remark, Text("country.stopped", ["date": context.formats.date(day)]), as: .warning)
    }
  }

  private func card(
    _ title: Text, _ latest: Int?, _ previous: Int?, _ figures: CountryFigures
  ) -> HTML {
    """
    <section class="card"><h2>\(context.text(title))</h2>\
    <p class="figure">\(views.count(latest))</p>\
    <p class="muted">\(views.period(figures.latest, figures.rhythm))</p>\
    <p>\(before(previous, figures))</p></section>
    """
  }

  private func before(_ count: Int?, _ figures: CountryFigures) -> HTML {
    let period = views.period(figures.previous, figures.rhythm)
    let label = figures.previous.day == nil ? context.text("period.before") : period
    return "\(views.count(count)) <span class=\"muted\">\(label)</span>"
  }

  /// The sources that report recovered and active cases, where the source of these figures never
  /// does; nil elsewhere.
  private func unreported(_ figures: CountryFigures) -> HTML? {
    guard figures.recovered == nil, figures.active == nil, let source = views.source,
      !source.reportsRecovered
    else { return nil }
    let others = Figures.sources.filter(\.reportsRecovered).map { context.text($0.publisher) }
    let words = [
      "source": context.text(source.publisher), "others": others.joined(separator: ", "),
    ]
    return "<p class=\"secondary-text\">\(context.text("totals.unreported", words))</p>"
  }

  private func totals(_ figures: CountryFigures) -> HTML {
    let rows: [(label: Text, count: Int?, rate: HTML?)] = [
      ("figure.cases", figures.cases, views.rate(figures.casesPerMillion)),
      ("figure.recovered", figures.recovered, nil),
      ("figure.active", figures.active, nil),
      ("figure.deaths", figures.deaths, views.rate(figures.deathsPerMillion)),
    ]
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("totals.title"))">\
      <table class="data"><caption>\(context.text("totals.title"))</caption>\
      <thead><tr><th scope="col">\(context.text("totals.what"))</th>\
      <th scope="col" class="number">\(context.text("totals.total"))</th>\
      <th scope="col" class="number">\(context.text("totals.per-million"))</th></tr></thead>\
      <tbody>\(each: rows, { label, count, rate in
        "<tr><th scope=\"row\">\(context.text(label))</th><td class=\"number\">\(views.count(count))</td><td class=\"number\">\(rate)</td></tr>"
      })</tbody></table></div>\(unreported(figures))
      """
  }
}

extension CountryPage {
  /// Returns the dashboard card with the latest report of the country that the person has chosen;
  /// nil without a choice and without figures.
  static func card(_ context: Context) throws -> HTML? {
    guard let country = try ChosenCountry.value.find(in: context)?.country,
      Figures.isCountry(country)
    else { return nil }
    guard let (figures, state) = try CountryFigures.findDated(country, in: context) else {
      return nil
    }
    let views = try FigureViews(context, state: state)
    let fictional: HTML? =
      views.state.isFictional ? "<p class=\"muted\">\(context.text("share.fictional"))</p>" : nil
    return """
      <p>\(views.flag(country)) <bdi>\(CountryNames.name(country, in: context.language))</bdi></p>\
      <p class="figure">\(views.count(figures.latest.cases))</p>\
      <p class="muted">\(context.text("figure.new-cases")), \
      \(views.period(figures.latest, figures.rhythm))</p>\
      \(fictional)
      """
  }
}
