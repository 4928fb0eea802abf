import PolyclinicCharts
import PolyclinicCore

/// The latest reading and those of the last days, which the cards show. The average comes first,
/// because a guideline's classes are for averages: one reading depends too much on the moment.
struct RecentReadings {
  let latest: BloodPressure.Entry
  /// The readings of the last 30 days in the order of time.
  private let month: [BloodPressure.Entry]
  private let week: DaySpan
  private let scheme: PressureScheme
  private let context: Context

  /// The number of days that a card's small chart shows.
  static let days = 30
  /// The fewest days with readings for an average (ESH 2021: seven days, and not fewer than three).
  private static let fewestDays = 3

  /// Finds the readings; nil if there is none.
  init?(_ context: Context, scheme: () throws -> PressureScheme) throws {
    let start = context.today.adding(days: 1 - Self.days)
    var found: [BloodPressure.Entry] = []
    try BloodPressure.index.prefix(in: context) { entry in
      found.append(entry)
      return entry.time.day >= start
    }
    guard let latest = found.first else { return nil }
    self.latest = latest
    month = found.reversed().filter { $0.time.day >= start }
    week = DaySpan(.week, until: context.today)
    self.scheme = try scheme()
    self.context = context
  }

  /// The average of the last seven days; nil if too few of them have readings.
  private var average: PressureStatistic? {
    let recent = month.filter { entry in week.from.map { entry.time.day >= $0 } ?? true }
    guard Set(recent.map(\.time.day)).count >= Self.fewestDays else { return nil }
    var average = PressureStatistic()
    for entry in recent { average.add(entry) }
    return average
  }

  /// The average with its class, its days and the latest reading, or the latest reading alone if
  /// there is no average. A very high reading is followed by a link to what to do.
  var summary: HTML {
    let mark = PressureViews.mark(latest.pressure, scheme, context)
    let besides = PressureViews.besides(latest, context)
    let more: HTML? = besides.isEmpty ? nil : " · \(besides)"
    let advice = PressureViews.adviceLink(latest, scheme, context)
    guard let average else {
      return """
        <p class="figure">\(PressureViews.reading(latest.pressure, context))</p>\
        \(mark.map { "<p>\($0)</p>" })\
        <p class="secondary-text">\(context.formats.dateTime(latest.time.local))\(more)</p>\(advice)
        """
    }
    let days = Text(
      "card.pressure.mean",
      [
        "from": context.formats.shortMonthDay(week.from ?? week.to),
        "to": context.formats.shortMonthDay(week.to),
      ], count: average.count)
    let last = Text("card.pressure.last", ["reading": latest.pressure.words, "when": when])
    return """
      <p class="figure">\(PressureViews.reading(average.mean, context))</p>\
      <p>\(PressureViews.badge(average.mean, scheme, context)) \(context.text(days))</p>\
      <p class="secondary-text">\(context.text(last))\(more) \(mark)</p>\(advice)
      """
  }

  /// Says that no limits are shown for a child; nil for adults.
  var note: HTML? { scheme == .children ? PressureViews.source(scheme, context) : nil }

  /// The values that belong to the class of the average or to the mark of the latest reading, or a
  /// hint on how to get an average.
  var meaning: HTML {
    if let note { return note }
    if let average { return PressureViews.meaning(of: average.mean, scheme, context) }
    return PressureViews.mark(latest.pressure, scheme, context) == nil
      ? "<p class=\"hint\">\(context.text("card.pressure.few"))</p>"
      : PressureViews.meaning(of: latest.pressure, scheme, context)
  }

  /// The time of the latest reading, and its day if that is not today.
  private var when: String {
    let time = context.formats.time(latest.time.local)
    return latest.time.day == context.today
      ? time : "\(context.formats.shortMonthDay(latest.time.day)), \(time)"
  }

  /// The row under "Today" that asks for another reading after a very high one; nil if none is due.
  var due: HTML? {
    guard scheme.isUrgent(latest.pressure, latest.time, at: context.now) else { return nil }
    return .row(
      to: BloodPressurePage.path(latest.id), "\(context.text("severe.due", ["time": when]))",
      detail: PressureViews.reading(latest.pressure, context),
      lead: context.icon(.heartPulse), kind: .pressure)
  }

  /// The small chart of the last days; nil if there are too few readings.
  var smallChart: HTML? {
    guard let first = month.first else { return nil }
    let span = DaySpan(from: context.today.adding(days: 1 - Self.days), to: context.today)
    let zone = context.formats.timeZone
    let periods = Period.all(of: month, PressureStatistic(), atMost: Self.days)
    func points(_ value: (PressureStatistic) -> Double) -> [Chart.Point] {
      periods.map { period in
        let noon = period.start.start(in: zone) + .hours(12)
        return Chart.Point(at: noon, value: value(period.average))
      }
    }
    var whole = PressureStatistic()
    for entry in month { whole.add(entry) }
    let limit = scheme.hypertension
    let label = Text(
      limit == nil ? "card.pressure.course" : "card.pressure.course-limit",
      [
        "days": span.title(nil, context), "mean": whole.mean.words, "limit": limit?.words ?? "",
      ])
    let caption = Text("card.pressure.chart", ["days": span.shortTitle(context)])
    return Chart.sparkline(
      [points(\.systolic.mean), points(\.diastolic.mean)],
      over: span.moments(from: first.time, in: zone), label: context.text(label),
      caption: context.text(caption),
      limits: (limit.map { [$0.systolic, $0.diastolic] } ?? []).map {
        (Double($0), context.formats.number(Double($0), fractionDigits: 0))
      })
  }
}
