import PolyclinicCore

/// The pages of blood pressure: the list, one reading, the start of the form, and the page on how
/// to measure.
enum BloodPressurePages {
  /// A new reading with the current time and the arm that was used last.
  static func start(_ context: Context) throws -> BloodPressure {
    var reading = BloodPressure()
    reading.measuredAt = ZonedTime(context.now, in: context.formats.timeZone)
    try BloodPressure.index.prefix(in: context) { entry in
      reading.arm = entry.arm?.rawValue ?? ""
      return false
    }
    return reading
  }

  /// The reading that was saved a moment ago, with its advice, and a link to the page on how to
  /// measure.
  static func about(_ context: Context) throws -> HTML? {
    """
    \(try EarlierReading.find(context)?.html(context))\
    <p class="hint"><a href="/health-metrics/guide">\(context.text("guide.title"))</a></p>
    """
  }

  static func list(_ context: Context) throws -> Response {
    let scheme = try Preferences.find(in: context).scheme
    let list = MeasurementList(
      kind: .bloodPressure,
      found: try MeasurementSelection(
        context.request.query, of: BloodPressure.index, in: context.formats.timeZone, in: context),
      notice: try BloodPressure.records.undoNotice(context), context: context,
      besides: context.button("guide.title", to: "/health-metrics/guide", style: .secondary),
      source: PressureViews.source(scheme, context)
    ) { entry in
      """
      \(context.formats.time(entry.time.local)) \
      <strong><bdi dir="ltr">\(entry.pressure.systolic)/\(entry.pressure.diastolic)</bdi></strong> \
      \(PressureViews.badge(entry.pressure, scheme, context)) \
      <span class="secondary-text">\(PressureViews.besides(entry, context))</span>
      """
    }
    return .page(list.page)
  }

  static func show(_ context: Context) throws -> Response {
    let reading = try BloodPressure.records.load(context)
    let scheme = try Preferences.find(in: context).scheme
    let details = BloodPressurePage(
      id: try context.id(), reading: reading, scheme: scheme, context: context)
    return .page(try details.page)
  }

  static func guide(_ context: Context) -> Response {
    let steps: [Text] = [
      "guide.before", "guide.rest", "guide.sit", "guide.arm", "guide.cuff", "guide.quiet",
      "guide.twice", "guide.note",
    ]
    return .page(
      Page(
        "guide.title",
        """
        <p class="lead">\(context.text("guide.lead"))</p><section class="panel prose">\
        <ol>\(each: steps, { "<li>\(context.text($0))</li>" })</ol></section>\
        \(actions:
          context.button("pressure.new", to: "/health-metrics/blood-pressure/new"),
          context.button("week.title", to: "/health-metrics/home-week", style: .secondary))\
        <p class="hint">\(context.text("guide.source", Citation.esh)) \(context.text("pressure.no-diagnosis"))</p>
        """, back: ""))
  }
}
