import PolyclinicCore

extension CountriesPage {
  static func show(_ context: Context) throws -> Response {
    // Reads everything in one transaction, so that the cached rows belong to their revision.
    let page = CountriesPage(
      query: context.request.query["q"],
      order: CountriesPage.Order(rawValue: context.request.query["order"]) ?? .name,
      views: FigureViews(state: try RefreshState.find(in: context), context: context))
    let html = try page.html(in: context)
    return .page(Page("countries.title", html, back: "", scripts: ["search.js"], width: .wide))
  }
}

/// The page with all countries and their figures, with search by name or code and a choice of
/// order.
struct CountriesPage {
  let query: String
  let order: Order
  let views: FigureViews

  private var context: Context { views.context }

  /// The column by which the list is sorted: names ascending, figures descending.
  enum Order: String, CaseIterable {
    case name
    case new
    case cases
    case casesPerMillion = "cases-per-million"
    case deaths
    case deathsPerMillion = "deaths-per-million"

    fileprivate func value(_ one: ListedCountry) -> Double? {
      switch self {
      case .name: nil
      case .new: one.newCases.map(Double.init)
      case .cases: one.cases.map(Double.init)
      case .casesPerMillion: one.casesPerMillion
      case .deaths: one.deaths.map(Double.init)
      case .deathsPerMillion: one.deathsPerMillion
      }
    }
  }

  func html(in work: Work) throws -> HTML {
    if views.state.fetched == nil { return "\(views.notices)\(try views.nothingYet)" }
    let shown = try rows(in: work)
    return """
      \(views.notices)\(context.searchForm(
        at: "/covid-stats/countries", "countries.search", words: query, submit: "countries.find",
        filters: "<input type=\"hidden\" name=\"order\" value=\"\(order.rawValue)\">"))\
      \(context.resultCount(Text("countries.count", count: shown.count)))\
      \(shown.count == 0 ? nil : table(shown.html))\(views.provenance)
      """
  }

  private func rows(in work: Work) throws -> CountryRows {
    func written() throws -> CountryRows {
      let found = CountrySearch(query).found(in: try FigureTables.listed(in: work))
      return CountryRows(count: found.count, html: "\(each: sorted(found), row)")
    }
    guard query.isEmpty else { return try written() }
    return try CountryRows.kept(
      for: .init(order: order, language: context.language), of: views.state.revision, written)
  }

  private func sorted(_ countries: [ListedCountry]) -> [ListedCountry] {
    let byName = CountryNames.of(context.language).sorted(countries)
    if order == .name { return byName }
    // Countries without a figure come last. Equal figures stay in the order of names.
    return byName.enumerated().sorted { one, other in
      let (first, second) = (order.value(one.element), order.value(other.element))
      if first == second { return one.offset < other.offset }
      return (first ?? -.infinity) > (second ?? -.infinity)
    }.map(\.element)
  }

  private func table(_ rows: HTML) -> HTML {
    """
    <form method="post" action="/covid-stats/country">\(context.hiddenFields())\
    <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("countries.title"))">\
    <table class="data countries"><thead><tr>\(each: Order.allCases, heading)</tr></thead>\
    <tbody>\(rows)</tbody></table></div></form>
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

  private func row(_ one: ListedCountry) -> HTML {
    """
    <tr><th scope="row"><button class="link" name="country" value="\(one.country)">\
    \(flag: one.country, views) \
    <bdi>\(CountryNames.name(one.country, in: context.language))</bdi></button></th>\
    <td class="number">\(count: one.newCases, views)</td>\
    <td class="number">\(count: one.cases, views)</td>\
    <td class="number">\(rate: one.casesPerMillion, views)</td>\
    <td class="number">\(count: one.deaths, views)</td>\
    <td class="number">\(rate: one.deathsPerMillion, views)</td></tr>
    """
  }
}

/// Searches countries by their names in any language, or by their code.
struct CountrySearch {
  private let query: SearchText.Query
  private let code: String

  init(_ typed: String) {
    query = SearchText.Query(typed)
    code = typed.utf8.count <= 8 ? typed.filter { !$0.isWhitespace }.uppercased() : ""
  }

  func found(in countries: [ListedCountry]) -> [ListedCountry] {
    query.isEmpty ? countries : countries.filter(finds)
  }

  private func finds(_ one: ListedCountry) -> Bool {
    if one.country.isIdentical(to: code) { return true }
    return Language.allCases.contains {
      query.matches(SearchText(CountryNames.name(one.country, in: $0)))
    }
  }
}
