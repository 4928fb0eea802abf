import PolyclinicCore

/// The page with all countries and their figures, with search by name or code and a choice of
/// order.
struct CountriesPage: RoutedPage {
  static let address: Address<Void> = "/covid-stats/countries"
  static let access = Access.toFigures

  private let query: String
  private let order: Order
  private let views: FigureViews
  private let rows: CountryRows

  private var context: Context { views.context }

  init(_ context: Context) throws {
    let sent = context.request.query
    let (query, order) = (sent["q"], Order(rawValue: sent["order"]) ?? .name)
    let views = try FigureViews(context)
    func written() throws -> CountryRows {
      let found = CountrySearch(query).found(in: try ListedCountry.all(in: context))
      let sorted = order.sorted(found, in: context.language)
      return CountryRows(count: found.count, html: "\(each: sorted, { Self.row($0, views) })")
    }
    rows =
      query.isEmpty
      ? try CountryRows.kept(
        for: .init(order: order, language: context.language), of: views.state.revision, written)
      : try written()
    (self.query, self.order, self.views) = (query, order, views)
  }

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

    fileprivate func sorted(
      _ countries: [ListedCountry], in language: Language
    ) -> [ListedCountry] {
      let byName = CountryNames.of(language).sorted(countries)
      if self == .name { return byName }
      // Countries without a figure come last. Equal figures stay in the order of names.
      return byName.enumerated().sorted { one, other in
        let (first, second) = (value(one.element), value(other.element))
        if first == second { return one.offset < other.offset }
        return (first ?? -.infinity) > (second ?? -.infinity)
      }.map(\.element)
    }
  }

  var page: Page {
    Page(
      "countries.title", content, back: CountryPage.path, assets: [.search], width: .wide)
  }

  private var content: HTML {
    if views.state.fetched == nil { return "\(views.notices)\(views.nothingYet)" }
    return """
      \(views.notices)\(context.searchForm(
        at: Self.path, "countries.search", words: query, submit: "countries.find",
        filters: "<input type=\"hidden\" name=\"order\" value=\"\(order.rawValue)\">"))\
      \(context.resultCount(Text("countries.count", count: rows.count)))\
      \(rows.count == 0 ? nil : table)\(views.provenance)
      """
  }

  private var table: HTML {
    """
    <form method="post" action="\(ChosenCountry.address.path)">\(context.hiddenFields())\
    <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("countries.title"))">\
    <table class="data countries"><thead><tr>\(each: Order.allCases, heading)</tr></thead>\
    <tbody>\(rows.html)</tbody></table></div></form>
    """
  }

  private func heading(_ column: Order) -> HTML {
    let isSorted = column == order
    let direction = column == .name ? "ascending" : "descending"
    let sorted: HTML? = isSorted ? " aria-sort=\"\(direction)\"" : nil
    let path = Self.path.query(["q": query, "order": column.rawValue])
    return """
      <th scope="col"\(attribute: " class=\"number\"", if: column != .name)\(sorted)><a href="\(path)">\
      \(context.text(Text("column.\(column.rawValue)")))</a></th>
      """
  }

  private static func row(_ one: ListedCountry, _ views: FigureViews) -> HTML {
    """
    <tr><th scope="row"><button class="link" name="country" value="\(one.country)">\
    \(flag: one.country, views) \
    <bdi>\(CountryNames.name(one.country, in: views.context.language))</bdi></button></th>\
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
