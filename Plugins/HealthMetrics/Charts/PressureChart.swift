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
  /// The periods of the bars, which are half as long as ``periods`` if these are days.
  private let parts: [Part]

  /// A period of a bar.
  private typealias Part = (span: Range<Instant>, average: PressureStatistic)

  let scheme: PressureScheme

  /// The chart; nil if the range has no reading.
  var chart: Chart? {
    guard let first = entries.first, let last = entries.last else { return nil }
    let all = whole
    let summary = Text(
      "chart.pressure.summary",
      [
        "mean": all.mean.words, "systolic": all.systolic.reach,
        "diastolic": all.diastolic.reach, "days": span.title(first.time, context),
      ], count: entries.count)
    var chart = Chart(
      title: context.text("chart.pressure"), summary: context.text(summary), lines: [],
      bands: preferences.isTreated ? targets : [],
      span: span.moments(from: first.time, in: context.formats.timeZone), gap: .days(1))
    chart.bars = [
      Chart.Bars(
        context.text("field.systolic"), bars(\.systolic),
        limit: scheme.hypertension?.systolic),
      Chart.Bars(
        context.text("field.diastolic"), bars(\.diastolic),
        limit: scheme.hypertension?.diastolic),
    ]
    chart.limit = scheme.hypertension.map { context.text("chart.limit", ["limit": $0.words]) }
    chart.marks = marks(of: last)
    chart.overall = sentence(of: all, when: context.text(span.label))
    chart.readings = periods.map { period in
      Chart.Reading(
        period.moments(in: context.formats.timeZone),
        sentence(of: period.average, when: period.label(context.formats)))
    }
    chart.unit = context.text("unit.mmhg")
    chart.note = periods.first.map {
      context.text(Text("chart.note.\($0.periodLength.rawValue)"))
    }
    return chart
  }

  /// The targets of a treatment; nothing for a child.
  private var targets: [Chart.Band] {
    if scheme == .children { return [] }
    let (systolic, diastolic) = (scheme.aim.systolic, scheme.aim.diastolic)
    return [band("aim.systolic", systolic), band("aim.diastolic", diastolic)]
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
    // The two or three readings of a morning need no dot at their average.
    let hasMean = periods.first?.periodLength != .day
    return parts.map { part in
      let statistic = value(part.average)
      return Chart.Bar(
        part.span, statistic.low...statistic.high, mean: hasMean ? statistic.mean : nil)
    }
  }

  /// Returns the labels of the latest values, beside the bars of their period.
  private func marks(of last: BloodPressure.Entry) -> [Chart.Mark] {
    guard let span = parts.last?.span else { return [] }
    let middle = span.lowerBound + Seconds((span.upperBound - span.lowerBound).count / 2)
    return [last.pressure.systolic, last.pressure.diastolic].map {
      Chart.Mark(Chart.Point(at: middle, value: Double($0)), String($0))
    }
  }

  private func sentence(of average: PressureStatistic, when: String) -> String {
    context.text(
      Text(
        average.count == 1 ? "chart.pressure.single" : "chart.pressure.at",
        ["when": when, "mean": average.mean.words, "reach": average.reach],
        count: average.count))
  }

  var blank: PressureStatistic { PressureStatistic() }

  var columns: [Text] {
    scheme == .children ? ["averages.mean"] : ["averages.mean", "pressure.class"]
  }

  func cells(_ average: PressureStatistic) -> HTML {
    let pulse: HTML? =
      average.pulse.count == 0
      ? nil
      : """
      <span class="secondary-text">\
      \(context.text("pressure.pulse", ["pulse": String(Int(average.pulse.mean.rounded()))]))</span>
      """
    let badge =
      average.count > 1
      ? PressureViews.badge(average.mean, scheme, context)
      : PressureViews.mark(average.mean, scheme, context)
    let kind: HTML? = scheme == .children ? nil : "<td>\(badge)</td>"
    return """
        <td><bdi dir="ltr">\(average.mean.words)</bdi>\
        <span class="secondary-text"><bdi dir="ltr">\(average.reach)</bdi></span>\(pulse)</td>\
        \(kind)
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
    scheme = try preferences.classes(context)
    periods = Period.all(
      of: entries, PressureStatistic(), atMost: Period<PressureStatistic>.mostShown)
    let zone = context.formats.timeZone
    parts =
      periods.first?.periodLength == .day
      ? Self.halves(entries, in: zone) : periods.map { ($0.moments(in: zone), $0.average) }
  }

  /// Returns the readings of each day before noon and from noon on, in the order of time.
  private static func halves(_ entries: [BloodPressure.Entry], in zone: Zone) -> [Part] {
    var halves: [Part] = []
    for entry in entries {
      let day = entry.time.day
      let (start, end) = (day.start(in: zone), day.adding(days: 1).start(in: zone))
      let noon = start + Seconds((end - start).count / 2)
      let half = entry.time.minuteOfDay < 12 * 60 ? start..<noon : noon..<end
      if halves.last?.span != half { halves.append((half, PressureStatistic())) }
      halves[halves.count - 1].average.add(entry)
    }
    return halves
  }

  var page: Page {
    var chart = chart
    // The heading has the average.
    chart?.overall = context.text(
      Text("chart.pressure.whole", ["reach": whole.reach], count: entries.count))
    return page(
      "pressure.title", of: BloodPressure.pages, chart, heading: heading,
      source: PressureViews.source(scheme, context))
  }

  /// The average of the range in large letters, with its class.
  private var heading: HTML {
    let badge: HTML? = whole.count > 1 ? PressureViews.badge(whole.mean, scheme, context) : nil
    return "<p class=\"figure\">\(PressureViews.reading(whole.mean, context)) \(badge)</p>"
  }
}
