import PolyclinicCharts
import PolyclinicCore

/// The readings of a range: the chart, the averages and the table.
struct PressureChart: RangeView {
  static var kind: MetricsKind { .bloodPressure }

  let entries: [BloodPressure.Entry]
  let span: DaySpan
  let preferences: Preferences
  let context: Context
  let periods: [Period<PressureStatistic>]

  var scheme: PressureScheme { preferences.scheme }

  /// The chart; nil if the range has no reading.
  var chart: Chart? {
    guard let first = entries.first, let last = entries.last else { return nil }
    let all = whole
    let summary = Text(
      "chart.pressure.summary",
      [
        "mean": "\(all.mean.systolic)/\(all.mean.diastolic)", "systolic": all.systolic.reach,
        "diastolic": all.diastolic.reach, "days": span.title(first.time, context),
      ], count: entries.count)
    var chart = Chart(
      title: context.text("chart.pressure"), summary: context.text(summary), lines: [],
      bands: bands,
      span: span.moments(from: first.time, in: context.formats.timeZone), gap: .days(1))
    chart.bars = [
      Chart.Bars(context.text("field.systolic"), bars(\.systolic)),
      Chart.Bars(context.text("field.diastolic"), bars(\.diastolic)),
    ]
    if entries.count > 1 {
      let average = context.text(
        "chart.average", ["value": "\(all.mean.systolic)/\(all.mean.diastolic)"])
      chart.levels = [
        Chart.Level(all.systolic.mean, average), Chart.Level(all.diastolic.mean, nil),
      ]
    }
    chart.marks = marks(of: last)
    chart.readings = periods.map { period in
      Chart.Reading(period.moments(in: context.formats.timeZone), sentence(of: period))
    }
    chart.unit = context.text("unit.mmhg")
    chart.note = periods.first.map {
      context.text(Text("chart.note.\($0.periodLength.rawValue)"))
    }
    return chart
  }

  /// The targets of a treatment; for others the values that are neither low nor hypertension.
  private var bands: [Chart.Band] {
    guard preferences.isTreated else { return usualBands }
    let (systolic, diastolic) = (scheme.aim.systolic, scheme.aim.diastolic)
    return [band("aim.systolic", systolic), band("aim.diastolic", diastolic)]
  }

  private var usualBands: [Chart.Band] {
    let (low, limit) = (Pressure.low, scheme.hypertension)
    let name = Text(
      "chart.band",
      [
        "limit": "\(limit.systolic)/\(limit.diastolic)",
        "guideline": context.text(Text("scheme.\(scheme.rawValue)")),
      ])
    return [
      Chart.Band(
        Double(low.systolic)...Double(limit.systolic), context.text(name), presence: .besideLines),
      Chart.Band(
        Double(low.diastolic)...Double(limit.diastolic), nil, presence: .besideLines),
    ]
  }

  private func band(_ name: Text, _ range: ClosedRange<Double>) -> Chart.Band {
    let label = context.text(name)
    let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
    let words = low == high ? "\(high)" : "\(low)–\(high)"
    return Chart.Band(
      range, context.text(Text("aim.\(scheme.rawValue)"), ["name": label, "range": words]),
      label: label)
  }

  private func bars(_ value: (PressureStatistic) -> Statistic) -> [Chart.Bar] {
    periods.map { period in
      let statistic = value(period.average)
      return Chart.Bar(
        period.moments(in: context.formats.timeZone), statistic.low...statistic.high,
        mean: statistic.mean)
    }
  }

  /// Returns the labels of the latest values, beside the bars of their period.
  private func marks(of last: BloodPressure.Entry) -> [Chart.Mark] {
    guard let period = periods.last else { return [] }
    let moments = period.moments(in: context.formats.timeZone)
    let middle = moments.lowerBound + Seconds((moments.upperBound - moments.lowerBound).count / 2)
    return [last.pressure.systolic, last.pressure.diastolic].map {
      Chart.Mark(Chart.Point(at: middle, value: Double($0)), String($0))
    }
  }

  private func sentence(of period: Period<PressureStatistic>) -> String {
    let average = period.average
    return context.text(
      Text(
        average.count == 1 ? "chart.pressure.single" : "chart.pressure.at",
        [
          "when": period.label(context.formats),
          "mean": "\(average.mean.systolic)/\(average.mean.diastolic)",
          "reach": average.reach,
        ], count: average.count))
  }

  var blank: PressureStatistic { PressureStatistic() }

  var columns: [Text] { ["averages.mean", "pressure.class"] }

  func cells(_ average: PressureStatistic) -> HTML {
    let pulse: HTML? =
      average.pulse.count == 0
      ? nil
      : """
      <span class="secondary-text">\
      \(context.text("pressure.pulse", ["pulse": String(Int(average.pulse.mean.rounded()))]))</span>
      """
    return """
        <td><bdi dir="ltr">\(average.mean.systolic)/\(average.mean.diastolic)</bdi>\
        <span class="secondary-text"><bdi dir="ltr">\(average.reach)</bdi></span>\(pulse)</td>\
        <td>\(PressureViews.badge(average.mean, scheme, context))</td>
      """
  }
}

extension PressureChart: RoutedPage {
  static let address = BloodPressure.pages.chart

  static let usual = DaySpan.Name.month

  /// Loads the readings of these days.
  init(of span: DaySpan, _ context: Context) throws {
    self.span = span
    self.context = context
    entries = try span.entries(of: BloodPressure.index, in: context.formats.timeZone, in: context)
    preferences = try Preferences.find(in: context)
    periods = Period.all(
      of: entries, PressureStatistic(), atMost: Period<PressureStatistic>.mostShown)
  }

  var page: Page {
    page(
      "pressure.title", of: BloodPressure.pages, source: PressureViews.source(scheme, context))
  }
}
