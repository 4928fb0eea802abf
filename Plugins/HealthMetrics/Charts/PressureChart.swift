import PolyclinicCharts
import PolyclinicCore

/// The readings of a range: the chart, the averages and the table.
struct PressureChart: RangeView {
  static var kind: MetricsKind { .bloodPressure }

  let entries: [BloodPressure.Entry]
  let span: DaySpan
  let scheme: PressureScheme
  let context: Context

  /// The chart; nil if the range has no reading.
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

  var blank: PressureStatistic { PressureStatistic() }

  var columns: [Text] { ["averages.mean", "averages.pulse", "pressure.class"] }

  func cells(_ average: PressureStatistic) -> HTML {
    let pulse = average.pulse.count == 0 ? "–" : String(Int(average.pulse.mean.rounded()))
    return """
      <td><bdi dir="ltr">\(average.mean.systolic)/\(average.mean.diastolic)</bdi></td>\
      <td>\(pulse)</td><td>\(PressureViews.badge(average.mean, scheme, context))</td>
      """
  }
}

extension PressureChart {
  static func show(_ context: Context) throws -> Response {
    let keys = try context.keys
    let span = DaySpan(context.request.query, today: context.today, usual: .month)
    let view = try context.database.read { connection in
      PressureChart(
        entries: try span.entries(
          of: BloodPressure.index, in: context.formats.timeZone, by: keys, on: connection),
        span: span, scheme: try Preferences.find(by: keys, on: connection).scheme,
        context: context)
    }
    return view.page("pressure.title", source: PressureViews.source(view.scheme, context))
  }
}
