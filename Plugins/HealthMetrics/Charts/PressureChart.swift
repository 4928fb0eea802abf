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
  /// The periods of the bars: ``periods``, or halves of days if the chart is brief.
  private let parts: [Part]
  /// True for a chart of so few days that mornings and evenings stand beside each other.
  private let isBrief: Bool
  /// The average of as many days before the range.
  private let before: PressureStatistic

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
      span: span.moments(from: first.time, in: context.formats.timeZone), gap: gap)
    chart.bars = [
      Chart.Bars(
        context.text("field.systolic"), bars(\.systolic), haveDots: isBrief,
        limit: scheme.hypertension?.systolic),
      Chart.Bars(
        context.text("field.diastolic"), bars(\.diastolic), haveDots: isBrief,
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
    if let length = periods.first?.periodLength {
      let bars = context.text(isBrief ? "chart.note.half" : Text("chart.note.\(length.rawValue)"))
      chart.note = "\(bars) \(context.text("chart.note.latest"))"
      let name = context.text(length == .day ? "chart.trend.week" : "chart.trend")
      if !isBrief {
        chart.lines = [\.systolic, \.diastolic].map {
          Chart.Line(name, trend($0), areAverages: true)
        }
      }
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
    parts.map { Chart.Bar($0.span, value($0.average).low...value($0.average).high) }
  }

  /// Returns the average of each period, or of each day and the six days before it, so that a line
  /// through them does not follow single readings.
  private func trend(_ value: (PressureStatistic) -> Statistic) -> [Chart.Point] {
    let days = periods.first?.periodLength == .day ? 6 : 0
    var first = periods.startIndex
    return periods.indices.map { index in
      let period = periods[index]
      while periods[first].start < period.start.adding(days: -days) { first += 1 }
      let near = periods[first...index].map { value($0.average) }
      let count = near.reduce(0) { $0 + $1.count }
      let sum = near.reduce(0) { $0 + $1.mean * Double($1.count) }
      return Chart.Point(at: Self.middle(of: parts[index].span), value: sum / Double(count))
    }
  }

  /// Returns the labels of the latest values, beside the bars of their period.
  private func marks(of last: BloodPressure.Entry) -> [Chart.Mark] {
    guard let span = parts.last?.span else { return [] }
    return [last.pressure.systolic, last.pressure.diastolic].map {
      Chart.Mark(Chart.Point(at: Self.middle(of: span), value: Double($0)), String($0))
    }
  }

  private static func middle(of span: Range<Instant>) -> Instant {
    span.lowerBound + Seconds((span.upperBound - span.lowerBound).count / 2)
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
    let found = try span.withDaysBefore.entries(
      of: BloodPressure.index, in: context.formats.timeZone, in: context)
    let first = span.from.map { from in found.firstIndex { $0.time.day >= from } ?? found.endIndex }
    entries = Array(found[(first ?? 0)...])
    before = found[..<(first ?? 0)].reduce(into: PressureStatistic()) { $0.add($1) }
    preferences = try Preferences.find(in: context)
    scheme = try preferences.classes(context)
    periods = Period.all(
      of: entries, PressureStatistic(), atMost: Period<PressureStatistic>.mostShown)
    let zone = context.formats.timeZone
    isBrief = span.name == .week || periods.count <= 14 && periods.first?.periodLength == .day
    let shown = span.moments(from: entries.first?.time, in: zone)
    // The last week may not have ended, so that its middle would be beyond the chart.
    parts =
      isBrief
      ? Self.halves(entries, in: zone)
      : periods.map { ($0.moments(in: zone).clamped(to: shown), $0.average) }
  }

  /// The longest time between two averages that are joined.
  private var gap: Seconds {
    switch periods.first?.periodLength {
    case .day, nil: .days(7)
    case .week: .days(21)
    case .month: .days(93)
    case .year: .days(3 * 366)
    }
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
    chart?.heading = heading
    chart?.overall = comparison
    return page(
      "pressure.title", of: BloodPressure.pages, chart,
      source: PressureViews.source(scheme, context))
  }

  /// The number of readings and of those that are high, and the change since the days before.
  private var comparison: String {
    let high = entries.count { scheme.isHigh($0.pressure) }
    let parts: [Text?] = [
      Text("chart.pressure.whole", count: entries.count),
      high > 0 ? Text("chart.pressure.high", count: high) : nil,
      before.count > 1 ? change : nil,
    ]
    return parts.compactMap { $0.map(context.text) }.joined(separator: " · ")
  }

  /// The differences to the averages of the days before, such as “compared with the 30 days before:
  /// systolic unchanged, diastolic 2 lower”.
  private var change: Text {
    let (now, then, days) = (whole.mean, before.mean, span.days ?? 0)
    if now == then { return Text("chart.pressure.same", count: days) }
    return Text(
      "chart.pressure.before",
      [
        "systolic": difference("change.systolic", now.systolic - then.systolic),
        "diastolic": difference("change.diastolic", now.diastolic - then.diastolic),
      ], count: days)
  }

  private func difference(_ name: Text, _ amount: Int) -> String {
    let key: Text = amount == 0 ? "change.none" : amount < 0 ? "change.lower" : "change.higher"
    return context.text(key, ["name": context.text(name), "amount": String(abs(amount))])
  }

  /// The average of the range in large letters, with its class.
  private var heading: HTML {
    let badge: HTML? = whole.count > 1 ? PressureViews.badge(whole.mean, scheme, context) : nil
    return "<p class=\"figure\">\(PressureViews.reading(whole.mean, context)) \(badge)</p>"
  }
}
