import PolyclinicCharts
import PolyclinicCore

/// The weights of a range: the chart, the averages and the table.
struct WeightChart: RangeView {
  static var kind: MetricsKind { .weights }

  let entries: [Weight.Entry]
  let span: DaySpan
  let unit: Weight.Unit
  let person: Physique
  let context: Context

  /// The chart; nil if the range has no weight.
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

  /// The healthy weight range.
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

  var blank: WeightStatistic { WeightStatistic(unit: unit) }

  var columns: [Text] { ["averages.mean", "averages.reach"] }

  func cells(_ average: WeightStatistic) -> HTML {
    """
    <td>\(words(average.value.mean))</td>\
    <td><bdi dir="ltr">\(context.formats.number(average.value.low, fractionDigits: 1))–\
    \(context.formats.number(average.value.high, fractionDigits: 1))</bdi></td>
    """
  }
}

extension WeightChart {
  static func show(_ context: Context) throws -> Response {
    let keys = try context.keys
    let span = DaySpan(context.request.query, today: context.today, usual: .quarter)
    let view = try context.database.read { connection in
      WeightChart(
        entries: try span.entries(
          of: Weight.index, in: context.formats.timeZone, by: keys, on: connection),
        span: span, unit: try Preferences.find(by: keys, on: connection).unit,
        person: try Physique(by: keys, context.portal, on: connection), context: context)
    }
    return view.page("weights.title")
  }
}
