import PolyclinicCore

extension CovidStatsModule {
  func listCountries(_ context: Context) throws -> Response {
    let (all, state) = try context.database.read { connection in
      (try FigureTables.all(on: connection), try RefreshState.find(on: connection))
    }
    let page = CountriesPage(
      all: all, query: context.request.query["q"],
      order: CountriesPage.Order(rawValue: context.request.query["order"]) ?? .name,
      views: FigureViews(state: state, context: context))
    return .page(
      Page(
        "countries.title", try page.html, back: "", scripts: ["search.js"], width: .wide))
  }
}

/// All countries with their figures, found by name or code, in an order that is chosen.
struct CountriesPage {
  let all: [CountryFigures]
  let query: String
  let order: Order
  let views: FigureViews

  private var context: Context { views.context }

  /// The column by which the list is sorted: names upwards, figures downwards.
  enum Order: String, CaseIterable {
    case name
    case new
    case cases
    case casesPerMillion = "cases-per-million"
    case deaths
    case deathsPerMillion = "deaths-per-million"

    fileprivate func value(_ one: CountryFigures) -> Double? {
      switch self {
      case .name: nil
      case .new: one.latest.cases.map(Double.init)
      case .cases: one.cases.map(Double.init)
      case .casesPerMillion: one.casesPerMillion
      case .deaths: one.deaths.map(Double.init)
      case .deathsPerMillion: one.deathsPerMillion
      }
    }
  }

  var html: HTML {
    get throws {
      if all.isEmpty { return "\(views.notices)\(try views.nothingYet)" }
      let shown = sorted(all.filter(CountrySearch(query).finds))
      return """
        \(views.notices)<form class="search" method="get" action="/covid-stats/countries" role="search">\
        <label class="hidden-text" for="q">\(context.text("countries.search"))</label>\
        <input type="search" id="q" name="q" value="\(query)" maxlength="100" \
        placeholder="\(context.text("countries.search"))" autocomplete="off">\
        <input type="hidden" name="order" value="\(order.rawValue)">\
        <button class="button secondary">\(context.text("countries.find"))</button></form>\
        <p class="count" role="status">\(context.text("countries.count", count: shown.count))</p>\
        \(shown.isEmpty ? nil : table(shown))\(views.provenance)
        """
    }
  }

  private func sorted(_ countries: [CountryFigures]) -> [CountryFigures] {
    let named = countries.map { one in
      (one: one, name: SearchText(CountryNames.name(one.country, in: context.language)))
    }
    let byName = named.sorted { $0.name < $1.name }.map(\.one)
    if order == .name { return byName }
    // Those of whom nothing is reported come last; equal figures keep the order of names.
    return byName.enumerated().sorted { one, other in
      let (first, second) = (order.value(one.element), order.value(other.element))
      if first == second { return one.offset < other.offset }
      return (first ?? -.infinity) > (second ?? -.infinity)
    }.map(\.element)
  }

  private func table(_ countries: [CountryFigures]) -> HTML {
    """
    <form method="post" action="/covid-stats/country">\(context.hiddenFields())\
    <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("countries.title"))">\
    <table class="data countries"><thead><tr>\(each: Order.allCases, heading)</tr></thead>\
    <tbody>\(each: countries, row)</tbody></table></div></form>
    """
  }

  private func heading(_ column: Order) -> HTML {
    let isSorted = column == order
    let direction = column == .name ? "ascending" : "descending"
    let sorted: HTML? = isSorted ? " aria-sort=\"\(direction)\"" : nil
    let path = Path("/covid-stats/countries").query(["q": query, "order": column.rawValue])
    return """
      <th scope="col"\(attribute: " class=\"number\"", if: column != .name)\(sorted)><a href="\(path)">\
      \(context.text(Text("column.\(column.rawValue)")))</a></th>
      """
  }

  private static func cells(_ one: CountryFigures, _ views: FigureViews) -> [HTML] {
    [
      views.count(one.latest.cases), views.count(one.cases), views.rate(one.casesPerMillion),
      views.count(one.deaths), views.rate(one.deathsPerMillion),
    ]
  }

  private func row(_ one: CountryFigures) -> HTML {
    """
    <tr><th scope="row"><button class="link" name="country" value="\(one.country)">\
    \(views.flag(one.country)) \
    <bdi>\(CountryNames.name(one.country, in: context.language))</bdi></button></th>\
    \(each: Self.cells(one, views), { "<td class=\"number\">\($0)</td>" })</tr>
    """
  }
}

/// Finds countries by a word of their name in any language, or by their code.
struct CountrySearch {
  private let query: SearchQuery
  private let code: String

  init(_ typed: String) {
    query = SearchQuery(typed)
    code = typed.utf8.count <= 8 ? typed.filter { !$0.isWhitespace }.uppercased() : ""
  }

  func finds(_ one: CountryFigures) -> Bool {
    if query.isEmpty || one.country.isIdentical(to: code) { return true }
    return Language.allCases.contains {
      query.matches(SearchText(CountryNames.name(one.country, in: $0)))
    }
  }
}
