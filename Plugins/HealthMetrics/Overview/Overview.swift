import PolyclinicCharts
import PolyclinicCore

/// The first page of the module: the recent measurements of both kinds, with links to all pages.
struct Overview: RoutedPage {
  static let address: Address<Void> = "/health-metrics"

  private let weights: WeightChart
  private let pressures: PressureChart
  /// The latest measurements; nil without one.
  private let latest: (weight: WeightChange?, pressure: RecentReadings?)
  /// The card of a week at home that the person has begun; nil if there is none.
  private let week: HTML?
  private let heightHint: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let span = DaySpan(.quarter, until: context.today)
    weights = try WeightChart(of: span, context)
    pressures = try PressureChart(of: span, context)
    let scheme = pressures.scheme
    latest = (try WeightChange(in: context), try RecentReadings(context) { scheme })
    week = try HomeWeek.card(context)
    heightHint = try weights.person.heightHint(context)
  }

  var page: Page {
    Page(
      "metrics.title",
      """
      <div class="home">\
      \(panel(
        BloodPressure.pages, latest.pressure?.summary, pressures, latest.pressure?.meaning))\
      \(panel(
        Weight.pages, latest.weight?.summary(in: weights.unit, context), weights, heightHint))</div>\
      \(weekAtHome)\
      \(rows: [
        Link("report.link", to: Report.path, icon: .document, about: "report.about"),
        week == nil
          ? Link("week.title", to: HomeWeekPage.path, icon: .calendar, about: "week.about") : nil,
        Link("guide.title", to: GuidePage.path, icon: .heart, about: "guide.about"),
        Link(
          "preferences.title", to: PreferencesForm.path, icon: .gear, about: "preferences.about"),
      ].compactMap(\.self).filter { context.offers($0.path) }.map(row))
      """, assets: Chart.assets, width: .wide)
  }

  private var weekAtHome: HTML? {
    week.map {
      """
      <section class="panel\(MetricsKind.bloodPressure.data.style)">\
      <h2>\(context.icon(.calendar))<a href="\(HomeWeekPage.path)">\(context.text("week.title"))</a></h2>\
      \($0)</section>
      """
    }
  }

  /// Returns the panel of a kind, with the next step directly below the latest figure.
  private func panel<Record, View: RangeView>(
    _ pages: MeasurementPages<Record>, _ summary: HTML?, _ view: View, _ hint: HTML?
  ) -> HTML {
    let kind = View.kind
    let all = context.moreLink(kind.word("all"), to: pages.list.path)
    return """
      <div class="panel\(kind.data.style)"><h2>\(context.icon(kind.data.icon))\
      <a href="\(pages.list.path)">\(context.text(kind.title))</a></h2>\
      \(summary ?? "<p class=\"muted\">\(context.text(kind.word("empty")))</p>")\
      \(actions:
        context.button(kind.new, to: pages.new.path),
        context.button("tabs.chart", to: pages.chart.path, style: .secondary))\
      \(view.html)\(hint)\(summary.map { _ in all })</div>
      """
  }

  private func row(_ link: Link) -> HTML {
    HTML.row(
      to: link.path, "\(context.text(link.title))",
      detail: link.about.map { "\(context.text($0))" }, lead: context.icon(link.icon))
  }
}
