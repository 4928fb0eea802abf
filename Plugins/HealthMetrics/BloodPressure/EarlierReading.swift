import PolyclinicCore

/// The reading that the person has measured a few minutes ago, which the form for the next reading
/// shows with its advice.
struct EarlierReading {
  let entry: BloodPressure.Entry
  let scheme: PressureScheme
  /// True if it is the only reading of the last minutes, so that the form is for the second one.
  let isFirst: Bool

  /// The time during which a reading belongs to the next one. The advice asks for a rest of five
  /// minutes.
  static let reach = Seconds(15 * 60)

  /// Returns the latest reading that was measured within the last minutes; nil without one.
  ///
  /// The time of saving does not count, because imported readings and those from a list on paper
  /// are saved long after they were measured.
  static func find(_ context: Context) throws -> EarlierReading? {
    let earliest = context.now - reach
    var entries: [BloodPressure.Entry] = []
    // The index has the newest readings first.
    try BloodPressure.index.prefix(in: context) { entry in
      guard entry.time.instant >= earliest else { return false }
      if entry.time.instant <= context.now { entries.append(entry) }
      return entries.count < 2
    }
    guard let latest = entries.first else { return nil }
    return EarlierReading(
      entry: latest, scheme: try Preferences.find(in: context).classes(context),
      isFirst: entries.count == 1)
  }

  /// Returns the reading, its advice, and the step that this form is for.
  func html(_ context: Context) throws -> HTML {
    let (pressure, time) = (entry.pressure, entry.time)
    let advice = try PressureViews.advice(pressure, at: time, scheme, context)
    // The advice has its own pause, which is longer.
    let next: Text = isFirst ? advice == nil ? "second.wait" : "second.next" : "second.another"
    // The fields stay in sight of somebody who has read the advice a moment ago.
    let shown =
      scheme.isUrgent(pressure, time, at: context.now)
      ? PressureViews.folded(advice, context) : advice
    return """
      <p>\(context.text("second.saved")) <strong>\(PressureViews.reading(pressure, context))</strong> \
      \(PressureViews.mark(pressure, scheme, context)) \
      <span class="secondary-text">\(context.formats.dateTime(time.local))</span></p>\(shown)\
      <p>\(context.text(next))</p>
      """
  }
}
