import PolyclinicCore

/// How figures and their source are shown.
struct FigureViews {
  let state: RefreshState
  let context: Context
  fileprivate let formats: Formats

  init(state: RefreshState, context: Context) {
    self.state = state
    self.context = context
    formats = context.formats
  }

  fileprivate var source: (any FigureSource)? { FigureSources.named(state.source) }

  /// The name of the source.
  var publisher: Text {
    state.isFictional ? "source.fictional" : source?.publisher ?? "source.file"
  }

  /// A count in the visitor's digits, or that it is not reported.
  func count(_ count: Int?) -> HTML { "\(count: count, self)" }

  /// A rate per million people.
  func rate(_ rate: Double?) -> HTML { "\(rate: rate, self)" }

  /// The day of a report, or the week that ends with it.
  func period(_ report: CountryFigures.Report, _ rhythm: Series.Rhythm) -> String {
    guard let day = report.day else { return context.text("period.unknown") }
    return context.text(
      rhythm == .weekly ? "period.week" : "period.day", ["date": formats.date(day)])
  }

  /// The source, the date of the figures, and when they were fetched.
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

  /// What keeps new figures away, or that they are under way; nothing where all is well.
  var notices: HTML {
    var notices: HTML = ""
    if state.isFictional { notices = note("warning", "covid.fictional") }
    if state.isRunning(at: context.now) { return "\(notices)\(status("refresh.running"))" }
    let isAsked = state.requested != nil
    guard let since = state.failingSince, let failure = state.failure else {
      return isAsked ? "\(notices)\(status("refresh.running"))" : notices
    }
    let text = context.text(
      state.fetched == nil ? "refresh.failing-empty" : "refresh.failing",
      [
        "since": formats.dateTime(since),
        "reason": context.text(Text("failure.\(failure.rawValue)")),
      ])
    return """
      \(notices)<div class="notice warning" role="status"><p>\(text)</p></div>\
      \(isAsked ? status("refresh.asked") : nil)
      """
  }

  private func status(_ text: Text) -> HTML {
    "<div class=\"notice\" role=\"status\"><p>\(context.text(text))</p></div>"
  }

  private func note(_ kind: StaticString, _ text: Text) -> HTML {
    "<div class=\"notice \(kind)\"><p>\(context.text(text))</p></div>"
  }

  /// The page before the first figures: the source that is asked, and what can be done where it cannot be
  /// reached. Throws `UndeclaredSetting`.
  var nothingYet: HTML {
    get throws {
      let chosen = try context.portal.settings.text("source")
      let publisher = context.text(FigureSources.named(chosen)?.publisher ?? "source.file")
      return """
        <div class="empty">\(context.icon(.chart))\
        <p>\(context.text("empty.none", ["source": publisher]))</p>\
        <p class="secondary-text">\(context.text("empty.administrator"))</p>\
        <p><a href="/covid-stats/information">\(context.text("information.link"))</a></p></div>
        """
    }
  }

  /// The source and the date of the figures, in one line without links.
  var sourceWords: String {
    "\(context.text("source.label")) \(context.text(publisher)) · \(dated)"
  }

  /// The last day of the figures, or the day on which the source itself got them.
  private var dated: String {
    if let day = state.day {
      return context.text("source.until", ["date": formats.date(day)])
    }
    let received = formats.day(of: state.received ?? state.fetched ?? context.now)
    return context.text("source.received", ["date": formats.date(received)])
  }

  /// The bytes of a country's flag, a PNG of 160 × 120 pixels; nil for a country without one.
  func flagBytes(_ country: String) -> [UInt8]? {
    context.content(ofAsset: "flags/\(country.lowercased()).png")
  }

  /// A country's flag; none for a country that has none in ISO 3166-1.
  func flag(_ country: String) -> HTML { "\(flag: country, self)" }
}

/// A list of all countries has more than a thousand figures: each is appended to the row that it stands in.
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
