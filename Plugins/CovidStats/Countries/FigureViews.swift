import PolyclinicCore

extension Access {
  /// Access for everyone if the setting `public` is on, otherwise for signed-in users.
  static let toFigures = everyoneWhere("public")
}

extension CountryFigures {
  /// Returns the figures of a country with the state of the refresh; nil if none are stored.
  static func findDated(
    _ country: String, in work: Work
  ) throws -> (figures: CountryFigures, state: RefreshState)? {
    let state = RefreshState.table
    return try work.row(
      """
      SELECT \(table.columns), \(state.columns)
      FROM covid_stats_countries LEFT JOIN covid_stats_refresh ON id = 1
      WHERE country = \(country)
      """
    ) { (table.record(from: $0), state.record(from: $0.from(table.columnCount))) }
  }
}

/// The HTML of figures and their source.
struct FigureViews {
  let state: RefreshState
  let context: Context
  fileprivate let formats: Formats
  /// The source of the settings, from which the next figures come.
  private let chosen: String

  /// Loads the state of the figures, unless it is given. Throws `UndeclaredSetting`.
  init(_ context: Context, state: RefreshState? = nil) throws {
    self.state = try state ?? RefreshState.find(in: context)
    chosen = try context.portal.settings.text("source")
    self.context = context
    formats = context.formats
  }

  /// The source of the figures; nil before the first success, and for invented figures.
  var source: (any FigureSource)? { Figures.source(named: state.source) }

  /// The name of the source.
  var publisher: Text {
    state.isFictional ? "source.fictional" : source?.publisher ?? "source.file"
  }

  /// Returns a count in the visitor's number format, or the text "not reported".
  func count(_ count: Int?) -> HTML { "\(count: count, self)" }

  /// Returns a rate per million people.
  func rate(_ rate: Double?) -> HTML { "\(rate: rate, self)" }

  /// Returns the day of a report, or the week that ends with it.
  func period(_ report: CountryFigures.Report, _ rhythm: Series.Rhythm) -> String {
    guard let day = report.day else { return context.text("period.unknown") }
    return context.text(
      rhythm == .weekly ? "period.week" : "period.day", ["date": formats.date(day)])
  }

  /// The source, the date of the figures, and the time of the refresh.
  var provenance: HTML {
    guard let fetched = state.fetched else { return "" }
    let publisher = context.text(publisher)
    let link: HTML =
      source.flatMap { OutsideLink.web($0.home) }
      .map { "<a href=\"\($0)\" rel=\"noreferrer\">\(publisher)</a>" } ?? "\(publisher)"
    let time = context.text("source.fetched", ["time": formats.dateTime(fetched)])
    return """
      <p class="secondary-text">\(context.text("source.label")) \(link) · \(dated) · \(time)</p>\
      \(worldometer)
      """
  }

  private var worldometer: HTML? {
    guard source is DiseaseShSource else { return nil }
    return "<p class=\"secondary-text\">\(context.text("source.worldometer"))</p>"
  }

  /// Notices about fictional figures, a refresh in progress, or a failed refresh; empty otherwise.
  var notices: [HTML] {
    let running = context.notice(.outcome, "refresh.running", as: .information)
    let fictional: [HTML] =
      state.isFictional ? [context.notice(.remark, "covid.fictional", as: .warning)] : []
    if state.isRunning(at: context.now) { return fictional + [running] }
    let isAsked = state.requested != nil
    guard let since = state.failingSince, let failure = state.failure else {
      return isAsked ? fictional + [running] : fictional
    }
    let text = context.text(
      state.fetched == nil ? "refresh.failing-empty" : "refresh.failing",
      [
        "since": formats.dateTime(since),
        "reason": context.text(Text("failure.\(failure.rawValue)")),
      ])
    let asked: [HTML] =
      isAsked ? [context.notice(.outcome, "refresh.asked", as: .information)] : []
    return fictional + [HTML.notice(.outcome, "<p>\(text)</p>", as: .warning)] + asked
  }

  /// The page content before the first refresh: the source, and a hint for the administrator if it
  /// cannot be reached.
  var nothingYet: HTML {
    let publisher = context.text(Figures.source(named: chosen)?.publisher ?? "source.file")
    return context.emptyState(
      .chart, hint: Text("empty.none", ["source": publisher]),
      content: """
        <p class="secondary-text">\(context.text("empty.administrator"))</p>\
        <p><a href="\(InformationPage.path)">\(context.text("information.link"))</a></p>
        """)
  }

  /// The source and the date of the figures, in one line without links.
  var sourceWords: String {
    "\(context.text("source.label")) \(context.text(publisher)) · \(dated)"
  }

  /// The last day of the figures, or the day on which the source received them.
  private var dated: String {
    if let day = state.day {
      return context.text("source.until", ["date": formats.date(day)])
    }
    let received = formats.day(of: state.received ?? state.fetched ?? context.now)
    return context.text("source.received", ["date": formats.date(received)])
  }

  /// Returns a country's flag as a PNG of 160 × 120 pixels; nil for a country without one.
  func flagBytes(_ country: String) -> [UInt8]? {
    context.content(ofAsset: "flags/\(country.lowercased()).png")
  }

  /// Returns a country's flag; an empty placeholder for Kosovo, which has no flag in ISO 3166-1.
  func flag(_ country: String) -> HTML { "\(flag: country, self)" }
}

/// Appends figures directly to the row that contains them, because a list of all countries has more
/// than a thousand.
extension HTML.StringInterpolation {
  mutating func appendInterpolation(count: Int?, _ views: FigureViews) {
    guard let count else { return appendGap("figure.not-reported", views) }
    if count == 0, views.source?.confusesZero == true {
      return appendGap("figure.zero-or-none", views)
    }
    append(figure: views.formats.number(count))
  }

  mutating func appendInterpolation(rate: Double?, _ views: FigureViews) {
    guard let rate else { return appendGap("figure.not-reported", views) }
    append(figure: views.formats.number(rate, fractionDigits: rate < 10 ? 2 : 0))
  }

  mutating func appendInterpolation(flag country: String, _ views: FigureViews) {
    if country.isIdentical(to: Figures.kosovo) {
      return appendLiteral("<span class=\"flag\"></span>")
    }
    appendLiteral("<img class=\"flag\" src=\"")
    appendInterpolation(views.context.asset("flags/\(country.lowercased()).png"))
    appendLiteral("\" alt=\"\" width=\"32\" height=\"24\" loading=\"lazy\">")
  }

  private mutating func append(figure: String) {
    appendLiteral("<bdi>")
    appendInterpolation(figure)
    appendLiteral("</bdi>")
  }

  private mutating func appendGap(_ reason: Text, _ views: FigureViews) {
    appendLiteral("<span class=\"muted\">")
    appendInterpolation(views.context.text(reason))
    appendLiteral("</span>")
  }
}
