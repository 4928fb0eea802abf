import PolyclinicCharts
import PolyclinicCore

/// The number of days that a card's small chart shows.
private let days = 30

/// The cards on the home page: the latest measurement, its course, and the next step.
extension Weight {
  /// Returns a card with the latest weight and its change in a month, without the small chart if
  /// the page has a larger one; nil if there is no weight.
  static func card(_ context: Context, hasChart: Bool = true) throws -> HTML? {
    guard let change = try WeightChange(in: context) else { return nil }
    let unit = try Preferences.find(in: context).unit
    let chart = hasChart ? try smallChart(in: unit, context) : nil
    return """
      <p class="figure">\(change.latest.html(in: unit, context))</p>\
      \(change.html(in: unit, context).map { "<p>\($0)</p>" })\(chart)\
      <p class="secondary-text">\(context.formats.dateTime(change.latest.time.local))</p>\
      \(context.moreLink("card.weight.all", to: WeightList.path))
      """
  }

  private static func smallChart(in unit: Unit, _ context: Context) throws -> HTML? {
    let span = DaySpan(from: context.today.adding(days: 1 - days), to: context.today)
    let zone = context.formats.timeZone
    let entries = try span.entries(of: Weight.index, in: zone, in: context)
    guard let first = entries.first, let last = entries.last else { return nil }
    func words(_ entry: Weight.Entry) -> String {
      context.text(
        Text("amount.\(unit.rawValue)"),
        ["value": context.formats.number(entry.value(in: unit), fractionDigits: 1)])
    }
    let label = Text(
      "card.weight.course",
      ["days": span.title(nil, context), "first": words(first), "last": words(last)])
    let points = entries.map { Chart.Point(at: $0.time.instant, value: $0.value(in: unit)) }
    return Chart.sparkline(
      [points], over: span.moments(from: first.time, in: zone), label: context.text(label))
  }

}

extension BloodPressure {
  /// Returns the card of the home page: the latest reading, its class and its facts, and a small
  /// chart; nil if there is no reading. A very high reading of today asks for another one before
  /// all that is due.
  static func card(_ context: Context, _ due: inout [HTML]) throws -> HTML? {
    guard let latest = try latest(in: context) else { return nil }
    if latest.pressure.isSevere, latest.time.day == context.today {
      let time = context.formats.time(latest.time.local)
      due.insert(
        .row(
          to: BloodPressurePage.path(latest.id),
          "\(context.text("severe.due", ["time": time]))",
          detail: PressureViews.reading(latest.pressure, context),
          lead: context.icon(.heartPulse), kind: .pressure), at: 0)
    }
    let scheme = try Preferences.find(in: context).scheme
    return card(latest, scheme, besides: try smallChart(context), context)
  }

  /// Returns the card for a page with a larger chart, which explains the class; nil if there is no
  /// reading.
  static func card(_ context: Context) throws -> HTML? {
    guard let latest = try latest(in: context) else { return nil }
    let scheme = try Preferences.find(in: context).scheme
    let meaning = PressureViews.meaning(of: latest.pressure, scheme, context)
    return card(latest, scheme, besides: meaning, context)
  }

  private static func latest(in work: Work) throws -> Entry? {
    var latest: Entry?
    try index.prefix(in: work) { entry in
      latest = entry
      return false
    }
    return latest
  }

  private static func card(
    _ latest: Entry, _ scheme: PressureScheme, besides more: HTML?, _ context: Context
  ) -> HTML {
    let besides = PressureViews.besides(latest, context)
    let facts: HTML =
      "\(context.formats.dateTime(latest.time.local))\(besides.isEmpty ? nil : " · \(besides)")"
    return """
      <p class="figure">\(PressureViews.reading(latest.pressure, context))</p>\
      <p>\(PressureViews.badge(latest.pressure, scheme, context))</p>\
      \(PressureViews.adviceLink(latest, context))\(more)\
      <p class="secondary-text">\(facts)</p>\
      \(context.moreLink("card.pressure.all", to: BloodPressureList.path))
      """
  }

  private static func smallChart(_ context: Context) throws -> HTML? {
    let span = DaySpan(from: context.today.adding(days: 1 - days), to: context.today)
    let zone = context.formats.timeZone
    let entries = try span.entries(of: BloodPressure.index, in: zone, in: context)
    guard let first = entries.first else { return nil }
    let periods = Period.all(of: entries, PressureStatistic(), atMost: days)
    func points(_ value: (PressureStatistic) -> Double) -> [Chart.Point] {
      periods.map { period in
        let noon = period.start.start(in: zone) + .hours(12)
        return Chart.Point(at: noon, value: value(period.average))
      }
    }
    var whole = PressureStatistic()
    for entry in entries { whole.add(entry) }
    let label = Text(
      "card.pressure.course",
      [
        "days": span.title(nil, context),
        "mean": whole.mean.words,
      ])
    return Chart.sparkline(
      [points(\.systolic.mean), points(\.diastolic.mean)],
      over: span.moments(from: first.time, in: zone), label: context.text(label))
  }
}
