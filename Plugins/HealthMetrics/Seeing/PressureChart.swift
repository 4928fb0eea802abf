import PolyclinicCore

/// Readings of a range: the chart, the averages, and the table beside them.
struct PressureChart {
  let entries: [BloodPressure.Entry]
  let span: DaySpan
  let scheme: PressureScheme
  let context: Context
  let whole: PressureStatistic

  init(
    entries: [BloodPressure.Entry], span: DaySpan, scheme: PressureScheme, context: Context
  ) {
    self.entries = entries
    self.span = span
    self.scheme = scheme
    self.context = context
    var whole = PressureStatistic()
    for entry in entries { whole.add(entry) }
    self.whole = whole
  }

  /// Nil where nothing was measured.
  var chart: Chart? {
    guard let first = entries.first else { return nil }
    let all = whole
    func reach(_ statistic: Statistic) -> String { "\(Int(statistic.low))–\(Int(statistic.high))" }
    let summary = Text(
      "chart.pressure.summary",
      [
        "mean": "\(all.mean.systolic)/\(all.mean.diastolic)", "systolic": reach(all.systolic),
        "diastolic": reach(all.diastolic), "days": span.title(first.time, context),
      ], count: entries.count)
    let moments = span.moments(from: first.time, in: context.formats.timeZone)
    let aim = scheme.aim
    let systolic = points { $0.systolic }
    return Chart(
      title: context.text("chart.pressure"), summary: context.text(summary),
      lines: [
        Chart.Line(context.text("field.systolic"), systolic),
        Chart.Line(context.text("field.diastolic"), points { $0.diastolic }),
      ],
      bands: [
        Chart.Band(
          aim.systolic, context.text(Text("aim.\(scheme.rawValue)"), ["range": scheme.aimInWords])),
        Chart.Band(aim.diastolic, nil),
      ], span: moments, gap: Chart.gap(between: systolic))
  }

  private func points(_ value: (Pressure) -> Int) -> [Chart.Point] {
    entries.map { Chart.Point(at: $0.time.instant, value: Double(value($0.pressure))) }
  }

  /// Averages of the whole range and of the parts of the day, with the class of each.
  var averages: HTML {
    let parts = DayPart.averages(entries, PressureStatistic())
    return table(
      "averages.title", first: "averages.part",
      rows: [(context.text("averages.whole"), whole)]
        + parts.map { (context.text(Text("part.\($0.part.rawValue)")), $0.average) })
  }

  /// The newest period first, as lists have it.
  func periods(atMost limit: Int) -> HTML {
    let periods = Period.all(of: entries, PressureStatistic(), atMost: limit)
    return table(
      "periods.title", first: "periods.when",
      rows: periods.reversed().map { ($0.label(context.formats), $0.average) })
  }

  private func table(
    _ caption: Text, first: Text, rows: [(label: String, average: PressureStatistic)]
  ) -> HTML {
    let columns: [Text] = [
      first, "averages.count", "averages.mean", "averages.pulse", "pressure.class",
    ]
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text(caption))">\
      <table class="data periods"><caption>\(context.text(caption))</caption>\
      <thead><tr>\(each: columns, { "<th scope=\"col\">\(context.text($0))</th>" })</tr></thead>\
      <tbody>\(each: rows, { row($0.label, $0.average) })</tbody></table></div>
      """
  }

  private func row(_ label: String, _ average: PressureStatistic) -> HTML {
    let pulse = average.pulse.count == 0 ? "–" : String(Int(average.pulse.mean.rounded()))
    return """
      <tr><th scope="row">\(label)</th><td>\(context.formats.number(average.count))</td>\
      <td><bdi dir="ltr">\(average.mean.systolic)/\(average.mean.diastolic)</bdi></td>\
      <td>\(pulse)</td><td>\(PressureViews.badge(average.mean, scheme, context))</td></tr>
      """
  }
}

extension HealthMetricsModule {
  func chartBloodPressure(_ context: Context) throws -> Response {
    let keys = try context.keys
    let span = DaySpan(context.request.query, today: context.today, usual: .month)
    let view = try context.database.read { connection in
      PressureChart(
        entries: try span.entries(
          of: BloodPressure.index, in: context.formats.timeZone, by: keys, on: connection),
        span: span, scheme: try Preferences.find(by: keys, on: connection).scheme,
        context: context)
    }
    let choice = RangeChoice(
      span: span, path: "/health-metrics/blood-pressure/chart", context: context)
    let shown: HTML =
      if let chart = view.chart?.html("pressure", context) {
        """
        \(chart)\(view.averages)\(view.periods(atMost: 60))\
        \(PressureViews.source(view.scheme, context))
        """
      } else {
        "<p class=\"count\" role=\"status\">\(context.text("range.nothing"))</p>"
      }
    let content: HTML = """
      \(MetricsViews.tabs(.bloodPressure, isChart: true, context))\(choice.html)\(shown)
      """
    return .page(Page("pressure.title", content, back: ""), status: choice.status)
  }
}
