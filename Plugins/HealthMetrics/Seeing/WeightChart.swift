import PolyclinicCore

/// Weights of a range: the chart, the averages, and the table beside them.
struct WeightChart {
  let entries: [Weight.Entry]
  let span: DaySpan
  let unit: Weight.Unit
  let person: Physique
  let context: Context
  let whole: WeightStatistic

  init(
    entries: [Weight.Entry], span: DaySpan, unit: Weight.Unit, person: Physique, context: Context
  ) {
    self.entries = entries
    self.span = span
    self.unit = unit
    self.person = person
    self.context = context
    var whole = WeightStatistic(unit: unit)
    for entry in entries { whole.add(entry) }
    self.whole = whole
  }

  /// Nil where nothing was measured.
  var chart: Chart? {
    guard let first = entries.first, let last = entries.last else { return nil }
    let all = whole.value
    let summary = Text(
      "chart.weight.summary",
      [
        "low": words(all.low), "high": words(all.high), "last": words(last.value(in: unit)),
        "days": span.title(first.time, context),
      ], count: entries.count)
    let points = entries.map {
      Chart.Point(at: $0.time.instant, value: $0.value(in: unit))
    }
    let moments = span.moments(from: first.time, in: context.formats.timeZone)
    return Chart(
      title: context.text("chart.weight"), summary: context.text(summary),
      lines: [Chart.Line(context.text("chart.weight"), points)],
      bands: band, span: moments, gap: Chart.gap(between: points))
  }

  /// The advised weights.
  private var band: [Chart.Band] {
    guard let advised = person.advised(on: context.today) else { return [] }
    let range = advised.lowerBound / unit.kilograms...advised.upperBound / unit.kilograms
    return [Chart.Band(range, context.text("chart.weight.band"), presence: .besideLines)]
  }

  private func words(_ value: Double) -> String {
    context.text(
      Text("amount.\(unit.rawValue)"),
      ["value": context.formats.number(value, fractionDigits: 1)])
  }

  /// Averages of the whole range and of the parts of the day.
  var averages: HTML {
    let parts = DayPart.averages(entries, WeightStatistic(unit: unit))
    return table(
      "averages.title", first: "averages.part",
      rows: [(context.text("averages.whole"), whole)]
        + parts.map { (context.text(Text("part.\($0.part.rawValue)")), $0.average) })
  }

  /// The newest period first, as lists have it.
  func periods(atMost limit: Int) -> HTML {
    let periods = Period.all(of: entries, WeightStatistic(unit: unit), atMost: limit)
    return table(
      "periods.title", first: "periods.when",
      rows: periods.reversed().map { ($0.label(context.formats), $0.average) })
  }

  private func table(
    _ caption: Text, first: Text, rows: [(label: String, average: WeightStatistic)]
  ) -> HTML {
    let columns: [Text] = [first, "averages.count", "averages.mean", "averages.reach"]
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text(caption))">\
      <table class="data periods"><caption>\(context.text(caption))</caption>\
      <thead><tr>\(each: columns, { "<th scope=\"col\">\(context.text($0))</th>" })</tr></thead>\
      <tbody>\(each: rows, { row($0.label, $0.average) })</tbody></table></div>
      """
  }

  private func row(_ label: String, _ average: WeightStatistic) -> HTML {
    """
    <tr><th scope="row">\(label)</th><td>\(context.formats.number(average.count))</td>\
    <td>\(words(average.value.mean))</td>\
    <td><bdi dir="ltr">\(context.formats.number(average.value.low, fractionDigits: 1))–\
    \(context.formats.number(average.value.high, fractionDigits: 1))</bdi></td></tr>
    """
  }
}

extension HealthMetricsModule {
  func chartWeights(_ context: Context) throws -> Response {
    let keys = try context.keys
    let span = DaySpan(context.request.query, today: context.today, usual: .quarter)
    let view = try context.database.read { connection in
      WeightChart(
        entries: try span.entries(
          of: Weight.index, in: context.formats.timeZone, by: keys, on: connection),
        span: span, unit: try Preferences.find(by: keys, on: connection).unit,
        person: try Physique(by: keys, context.portal, on: connection), context: context)
    }
    let choice = RangeChoice(span: span, path: "/health-metrics/weights/chart", context: context)
    let shown: HTML =
      if let chart = view.chart?.html("weight", context) {
        "\(chart)\(view.averages)\(view.periods(atMost: 60))"
      } else {
        "<p class=\"count\" role=\"status\">\(context.text("range.nothing"))</p>"
      }
    let content: HTML = """
      \(MetricsViews.tabs(.weights, isChart: true, context))\(choice.html)\(shown)
      """
    return .page(Page("weights.title", content, back: ""), status: choice.status)
  }
}
