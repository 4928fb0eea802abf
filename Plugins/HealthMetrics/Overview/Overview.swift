import PolyclinicCharts
import PolyclinicCore

/// The first page of the module: the recent measurements of both kinds, with links to all pages.
struct Overview: RoutedPage {
  static let address: Address<Void> = "/health-metrics"

  private let weights: WeightChart
  private let pressures: PressureChart
  /// The cards with the latest measurements; nil without one.
  private let latest: (weight: HTML?, pressure: HTML?)
  /// The card of a week at home that the person has begun; nil if there is none.
  private let week: HTML?
  private let heightHint: HTML?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let span = DaySpan(.quarter, until: context.today)
    weights = try WeightChart(of: span, context)
    pressures = try PressureChart(of: span, context)
    latest = (
      try Weight.card(context, hasChart: false), try BloodPressure.card(context)
    )
    week = try HomeWeek.card(context)
    heightHint = try weights.person.heightHint(context)
  }

  var page: Page {
    Page(
      "metrics.title",
      """
      <div class="home"><div class="panel\(MetricsKind.bloodPressure.data.style)">\
      \(head(.bloodPressure, BloodPressureList.path))\
      \(latest.pressure ?? nothing("pressure.empty"))\(pressures.html)\
      \(actions:
        context.button("pressure.new", to: NewBloodPressure.path),
        context.button("tabs.chart", to: PressureChart.path, style: .secondary))</div>\
      <div class="panel\(MetricsKind.weights.data.style)">\(head(.weights, WeightList.path))\
      \(latest.weight ?? nothing("weights.empty"))\
      \(weights.html)\(heightHint)\
      \(actions:
        context.button("weight.new", to: NewWeight.path),
        context.button("tabs.chart", to: WeightChart.path, style: .secondary))</div></div>\
      \(weekAtHome)\
      \(rows: [
        Link("report.link", to: Report.path, icon: .document, about: "report.about"),
        week == nil
          ? Link("week.title", to: HomeWeekPage.path, icon: .calendar, about: "week.about") : nil,
        Link("guide.title", to: GuidePage.path, icon: .heart, about: "guide.about"),
        Link(
          "preferences.title", to: PreferencesForm.path, icon: .gear, about: "preferences.about"),
      ].compactMap(\.self).map(row))
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

  private func head(_ kind: MetricsKind, _ list: Path) -> HTML {
    "<h2>\(context.icon(kind.data.icon))<a href=\"\(list)\">\(context.text(kind.title))</a></h2>"
  }

  private func nothing(_ text: Text) -> HTML { "<p class=\"muted\">\(context.text(text))</p>" }

  private func row(_ link: Link) -> HTML {
    HTML.row(
      to: link.path, "\(context.text(link.title))",
      detail: link.about.map { "\(context.text($0))" }, lead: context.icon(link.icon))
  }
}
