import PolyclinicCore

/// The reading that the person has saved a few minutes ago, which the form for the next reading
/// shows with its advice.
struct EarlierReading {
  let pressure: Pressure
  let measuredAt: ZonedTime?
  let scheme: PressureScheme
  /// True if it is the only reading of the last minutes, so that the form is for the second one.
  let isFirst: Bool

  /// The time during which a reading belongs to the next one. The advice asks for a rest of five
  /// minutes.
  private static let reach = Seconds(15 * 60)

  /// Returns the latest reading that was saved within the last minutes, at any time of measurement;
  /// nil without one.
  static func find(_ context: Context) throws -> EarlierReading? {
    let keys = try context.keys
    let ids: [ID<BloodPressure>] = try context.rows(
      """
      SELECT id_pressure FROM health_metrics_pressures
      WHERE person = \(keys.person) AND deleted_at IS NULL
      AND created_at >= \(context.now - Self.reach) AND created_at <= \(context.now)
      ORDER BY created_at DESC, id_pressure DESC LIMIT 2
      """
    ) { $0.id(0) }
    guard let latest = ids.first,
      let reading = try BloodPressure.records.find(latest, in: context)
    else { return nil }
    return EarlierReading(
      pressure: reading.pressure,
      measuredAt: reading.measuredAt,
      scheme: try Preferences.find(in: context).classes(context), isFirst: ids.count == 1)
  }

  /// Returns the reading, its advice, and the step that this form is for.
  func html(_ context: Context) throws -> HTML {
    let advice = try PressureViews.advice(pressure, at: measuredAt, scheme, context)
    // The advice has its own pause, which is longer.
    let next: Text = isFirst ? advice == nil ? "second.wait" : "second.next" : "second.another"
    // The fields stay in sight of somebody who has read the advice a moment ago.
    let shown =
      scheme.isUrgent(pressure, measuredAt, at: context.now)
      ? PressureViews.folded(advice, context) : advice
    let time: HTML? = measuredAt.map { "\(context.formats.dateTime($0.local))" }
    return """
      <p>\(context.text("second.saved")) <strong>\(PressureViews.reading(pressure, context))</strong> \
      \(PressureViews.mark(pressure, scheme, context)) \
      <span class="secondary-text">\(time)</span></p>\(shown)<p>\(context.text(next))</p>
      """
  }
}
