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
  let periods: [Period<WeightStatistic>]

  init(
    entries: [Weight.Entry], span: DaySpan, unit: Weight.Unit, person: Physique, context: Context
  ) {
    self.entries = entries
    self.span = span
    self.unit = unit
    self.person = person
    self.context = context
    periods = Period.all(
      of: entries, WeightStatistic(unit: unit), atMost: Period<WeightStatistic>.mostShown)
  }

  /// The chart; nil if the range has no weight.
  var chart: Chart? {
    guard let first = entries.first, let last = entries.last else { return nil }
    let all = whole.value
    let latest = last.value(in: unit)
    let summary = Text(
      "chart.weight.summary",
      [
        "low": words(all.low), "high": words(all.high), "last": words(latest),
        "days": span.title(first.time, context),
      ], count: entries.count)
    let points = entries.map {
      Chart.Point(at: $0.time.instant, value: $0.value(in: unit))
    }
    var chart = Chart(
      title: context.text("chart.weight"), summary: context.text(summary),
      lines: [Chart.Line(context.text("chart.weight"), points)], bands: band,
      span: span.moments(from: first.time, in: context.formats.timeZone),
      gap: Chart.gap(between: points))
    if entries.count > 1 {
      chart.levels = [
        Chart.Level(all.mean, context.text("chart.average", ["value": words(all.mean)]))
      ]
    }
    chart.marks = [
      Chart.Mark(
        Chart.Point(at: last.time.instant, value: latest),
        context.formats.number(latest, fractionDigits: 1))
    ]
    chart.overall = sentence(of: all, when: context.text(span.label))
    chart.readings = readings(in: chart.span)
    chart.unit = context.text(Text("unit.short.\(unit.rawValue)"))
    return chart
  }

  /// The sentences of the readout: of each weight, or of each period if there are many.
  private func readings(in span: Range<Instant>) -> [Chart.Reading] {
    guard entries.count <= Period<WeightStatistic>.mostShown else {
      return periods.map { period in
        Chart.Reading(
          period.moments(in: context.formats.timeZone),
          sentence(of: period.average.value, when: period.label(context.formats)))
      }
    }
    let moments = entries.map(\.time.instant)
    // Each weight reaches half of the way to its neighbours.
    let middles = zip(moments, moments.dropFirst()).map { $0 + Seconds(($1 - $0).count / 2) }
    return zip(entries.indices, entries).map { index, entry in
      let start = index == 0 ? span.lowerBound : middles[index - 1]
      let end = index == middles.count ? span.upperBound : middles[index]
      let text = "\(context.formats.dateTime(entry.time.local)): \(words(entry.value(in: unit)))"
      return Chart.Reading(start..<max(start, end), text)
    }
  }

  private func sentence(of value: Statistic, when: String) -> String {
    context.text(
      Text(
        value.count == 1 ? "chart.weight.single" : "chart.weight.at",
        [
          "when": when, "mean": words(value.mean), "low": words(value.low),
          "high": words(value.high),
        ], count: value.count))
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

extension WeightChart: RoutedPage {
  static let address = Weight.pages.chart

  static let usual = DaySpan.Name.quarter

  /// Loads the weights of these days.
  init(of span: DaySpan, _ context: Context) throws {
    self.init(
      entries: try span.entries(of: Weight.index, in: context.formats.timeZone, in: context),
      span: span, unit: try Preferences.find(in: context).unit,
      person: try Physique(context.portal, in: context), context: context)
  }

  var page: Page { page("weights.title", of: Weight.pages, chart) }
}
