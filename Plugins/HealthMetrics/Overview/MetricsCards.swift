import PolyclinicCharts
import PolyclinicCore

/// The cards on the home page: the latest measurement, its course, and the next step.
extension Weight {
  /// Returns the card of the home page: the latest weight, its change in a month and a small chart;
  /// nil if there is no weight.
  static func card(_ context: Context) throws -> HTML? {
    guard let change = try WeightChange(in: context) else { return nil }
    let unit = try Preferences.find(in: context).unit
    return """
      \(change.summary(in: unit, context))\(try smallChart(in: unit, context))
      """
  }

  private static func smallChart(in unit: Unit, _ context: Context) throws -> HTML? {
    let span = DaySpan(from: context.today.adding(days: 1 - RecentReadings.days), to: context.today)
    let zone = context.formats.timeZone
    let entries = try span.entries(of: Weight.index, in: zone, in: context)
    guard let first = entries.first, let last = entries.last else { return nil }
    func number(_ value: Double) -> String { context.formats.number(value, fractionDigits: 1) }
    func words(_ entry: Weight.Entry) -> String {
      context.text(
        Text("amount.\(unit.rawValue)"), ["value": number(entry.value(in: unit))])
    }
    let label = Text(
      "card.weight.course",
      ["days": span.title(nil, context), "first": words(first), "last": words(last)])
    let points = entries.map { Chart.Point(at: $0.time.instant, value: $0.value(in: unit)) }
    // Without them a small change would look like a large one.
    let extremes = Set([points.map(\.value).min(), points.map(\.value).max()].compactMap(\.self))
    return Chart.sparkline(
      [points], over: span.moments(from: first.time, in: zone), label: context.text(label),
      caption: span.shortTitle(context),
      limits: extremes.sorted().map { ($0, number($0)) })
  }
}

extension BloodPressure {
  /// Returns the card of the home page: the recent readings and a small chart; nil if there is no
  /// reading. A very high reading asks for another one before all that is due.
  static func card(_ context: Context, _ due: inout [HTML]) throws -> HTML? {
    let recent = try RecentReadings(context) { try Preferences.find(in: context).classes(context) }
    guard let recent else { return nil }
    if let row = recent.due { due.insert(row, at: 0) }
    return "\(recent.summary)\(recent.smallChart)\(recent.note)"
  }

  /// True if the latest reading is a very high one that asks for another.
  static func isUrgent(_ context: Context) throws -> Bool {
    var latest: Entry?
    try index.prefix(in: context) {
      latest = $0
      return false
    }
    guard let latest else { return false }
    return try Preferences.find(in: context).classes(context)
      .isUrgent(latest.pressure, latest.time, at: context.now)
  }
}
