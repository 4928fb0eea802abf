import PolyclinicCharts
import PolyclinicCore

/// The first page of the module.
enum Overview {
  /// Shows the recent measurements of both kinds, with links to all pages.
  static func show(_ context: Context) throws -> Response {
    let span = DaySpan(.quarter, until: context.today)
    let preferences = try Preferences.find(in: context)
    let zone = context.formats.timeZone
    let (weights, pressures) = (
      WeightChart(
        entries: try span.entries(of: Weight.index, in: zone, in: context),
        span: span, unit: preferences.unit,
        person: try Physique(context.portal, in: context), context: context),
      PressureChart(
        entries: try span.entries(of: BloodPressure.index, in: zone, in: context),
        span: span, scheme: preferences.scheme, context: context)
    )
    let (pressure, weight) = (MetricsKind.bloodPressure, MetricsKind.weights)
    let content: HTML = """
      <section class="panel\(pressure.data.style)">\(head(pressure, context))\
      \(try MetricsCards.bloodPressure(context, hasChart: false) ?? nothing("pressure.empty", context))\
      \(pressures.html)\
      \(actions:
        context.button("pressure.new", to: "/health-metrics/blood-pressure/new"),
        context.button("tabs.chart", to: "/health-metrics/blood-pressure/chart", style: .secondary))</section>\
      <section class="panel\(weight.data.style)">\(head(weight, context))\
      \(try MetricsCards.weight(context, hasChart: false) ?? nothing("weights.empty", context))\
      \(weights.html)\(MetricsViews.heightHint(weights.person, context))\
      \(actions:
        context.button("weight.new", to: "/health-metrics/weights/new"),
        context.button("tabs.chart", to: "/health-metrics/weights/chart", style: .secondary))</section>\
      \(rows: [
        way("/health-metrics/report", .document, "report.link", "report.about", context),
        way("/health-metrics/home-week", .calendar, "week.title", "week.about", context),
        way("/health-metrics/guide", .heart, "guide.title", "guide.about", context),
        way("/health-metrics/preferences", .gear, "preferences.title", "preferences.about", context),
      ])
      """
    return .page(Page("metrics.title", content, scripts: Chart.scripts))
  }

  private static func head(_ kind: MetricsKind, _ context: Context) -> HTML {
    """
    <h2>\(context.icon(kind.data.icon))<a href="\(kind.path)">\(context.text(kind.title))</a></h2>
    """
  }

  private static func nothing(_ text: Text, _ context: Context) -> HTML {
    "<p class=\"muted\">\(context.text(text))</p>"
  }

  private static func way(
    _ path: Path, _ icon: Icon, _ title: Text, _ about: Text, _ context: Context
  ) -> HTML {
    HTML.row(
      to: path, "\(context.text(title))", detail: "\(context.text(about))",
      lead: context.icon(icon))
  }
}
