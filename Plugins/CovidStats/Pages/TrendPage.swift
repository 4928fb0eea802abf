import PolyclinicCharts
import PolyclinicCore

/// The page with the chart of a country's series and its table.
struct TrendPage: RoutedPage {
  static let address: Address<Void> = "/covid-stats/trend"
  static let access = Access.toFigures

  private let country: String
  private let series: Series
  private let count: DayCounts.Count
  private let range: Range
  private let views: FigureViews

  private var context: Context { views.context }

  init(_ context: Context) throws {
    let query = context.request.query
    country = try ChosenCountry.shown(context)
    series = try Series.find(country, in: context)
    count = DayCounts.Count(rawValue: query["count"]) ?? .cases
    range = Range(rawValue: query["range"]) ?? .year
    views = try FigureViews(context)
  }

  /// The number of days that the chart goes back from the last report.
  enum Range: String, CaseIterable {
    case week, month, year, all

    fileprivate var days: Int? {
      switch self {
      case .week: 7
      case .month: 30
      case .year: 365
      case .all: nil
      }
    }
  }

  var page: Page {
    Page(
      "trend.title",
      """
      <div class="title"><h1>\(views.flag(country)) \
      <bdi>\(CountryNames.name(country, in: context.language))</bdi>: \
      \(context.text(title))</h1></div>\(views.notices)\(choices)\(content)\(views.provenance)
      """,
      back: CountryPage.path, assets: Chart.assets, hasOwnHeading: true)
  }

  private var title: Text { count == .cases ? "figure.new-cases" : "figure.new-deaths" }

  private var choices: HTML {
    let counts = context.tabs(
      "trend.what", DayCounts.Count.allCases, current: count,
      title: { Text("figure.new-\($0.rawValue)") }, to: { path($0, range) })
    let ranges = context.tabs(
      "trend.range", Range.allCases, current: range, title: { Text("range.\($0.rawValue)") },
      to: { path(count, $0) })
    return counts + ranges
  }

  private func path(_ count: DayCounts.Count, _ range: Range) -> Path {
    Self.path.query([
      "country": country, "count": count.rawValue, "range": range.rawValue,
    ])
  }

  /// The reports of the range. Leaves out those after the last report of a country that has stopped
  /// reporting.
  private var reports: [DayCounts] {
    let last = views.state.day.flatMap { series.end(latest: Int32($0.daysSince1970)) }
    let all = series.days.filter { one in
      one[count] != nil && (last.map { one.date <= $0 } ?? true)
    }
    let held = series.rhythm == .weekly ? all.filter { $0[count] != 0 } : all
    guard let days = range.days, let end = held.last?.day else { return held }
    return held.filter { $0.day > end - Int32(days) }
  }

  private var content: HTML {
    let reports = reports
    guard let first = reports.first, let last = reports.last else {
      return context.resultCount("trend.nothing")
    }
    return
      "\(chart(reports, from: first.date, to: last.date).html("trend-chart", context))\(table(reports))"
  }

  private func chart(
    _ reports: [DayCounts], from first: CalendarDate, to last: CalendarDate
  ) -> Chart {
    var lines = [
      Chart.Line(
        context.text(title),
        reports.compactMap { one in one[count].map { point(one, Double($0)) } })
    ]
    if series.rhythm == .daily, range != .week {
      lines.append(Chart.Line(context.text("trend.average"), average(reports)))
    }
    let values = reports.compactMap { $0[count] }
    let summary = context.text(
      "trend.summary",
      [
        "from": context.formats.date(first), "to": context.formats.date(last),
        "low": context.formats.number(Int(values.min() ?? 0)),
        "high": context.formats.number(Int(values.max() ?? 0)),
      ])
    return Chart(
      title: context.text(title), summary: summary, lines: lines,
      span: start(of: first)..<start(of: last.adding(days: 1)), gap: .days(15))
  }

  private func point(_ one: DayCounts, _ value: Double) -> Chart.Point {
    Chart.Point(at: start(of: one.date), value: value)
  }

  private func start(of day: CalendarDate) -> Instant {
    day.start(in: context.formats.timeZone)
  }

  /// Returns the mean of each day and the six days before it, if all seven were reported.
  private func average(_ reports: [DayCounts]) -> [Chart.Point] {
    guard let first = reports.first else { return [] }
    let days = series.days.filter { $0[count] != nil && $0.day > first.day - 7 }
    return days.indices.dropFirst(6).compactMap { index in
      let week = days[index - 6...index]
      guard days[index].day - days[index - 6].day == 6, days[index].day >= first.day,
        days[index].day <= (reports.last?.day ?? 0)
      else { return nil }
      return point(days[index], Double(week.reduce(0) { $0 + Int($1[count] ?? 0) }) / 7)
    }
  }

  /// Returns a table with the newest report first, or with monthly sums if there are many.
  private func table(_ reports: [DayCounts]) -> HTML {
    let rows: [(String, Int)] =
      reports.count <= 60
      ? reports.reversed().map { (context.formats.date($0.date), Int($0[count] ?? 0)) }
      : months(reports).reversed()
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("trend.table"))">\
      <table class="data periods"><caption>\(context.text("trend.table"))</caption>\
      <thead><tr><th scope="col">\(context.text("trend.when"))</th>\
      <th scope="col" class="number">\(context.text(title))</th></tr></thead>\
      <tbody>\(each: rows, { when, sum in
        "<tr><th scope=\"row\">\(when)</th><td class=\"number\"><bdi>\(context.formats.number(sum))</bdi></td></tr>"
      })</tbody></table></div>
      """
  }

  private func months(_ reports: [DayCounts]) -> [(String, Int)] {
    var sums: [(month: CalendarDate, sum: Int)] = []
    for one in reports {
      let date = one.date
      guard let month = CalendarDate(year: date.year, month: date.month, day: 1) else { continue }
      if sums.last?.month != month { sums.append((month, 0)) }
      sums[sums.count - 1].sum += Int(one[count] ?? 0)
    }
    return sums.map { (context.formats.shortMonth($0.month), $0.sum) }
  }
}
