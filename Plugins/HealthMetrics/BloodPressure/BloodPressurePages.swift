import PolyclinicCore

/// The list of a person's readings.
struct BloodPressureList: RoutedPage {
  static let address = BloodPressure.pages.list
  static let linkTitle: Text? = "pressure.title"

  private let list: MeasurementList<BloodPressure.Entry>

  init(_ context: Context) throws {
    let scheme = try Preferences.find(in: context).scheme
    list = MeasurementList(
      found: try MeasurementSelection(
        context.request.query, of: BloodPressure.index, in: context.formats.timeZone, in: context),
      notice: try BloodPressure.records.undoNotice(context), context: context,
      besides: context.button("guide.title", to: GuidePage.path, style: .secondary),
      source: PressureViews.source(scheme, context),
      row: .day { entries in Self.day(entries, scheme, context) })
  }

  /// Returns the readings of a day by its parts, from the morning on. Those that ask for attention
  /// have their class beside them.
  private static func day(
    _ entries: [BloodPressure.Entry], _ scheme: PressureScheme, _ context: Context
  ) -> HTML {
    let parts = DayPart.allCases.compactMap { part -> HTML? in
      let readings = entries.filter { DayPart($0.time) == part }.reversed()
      if readings.isEmpty { return nil }
      return """
        <span class="secondary-text pair">\(context.text(Text("part.\(part.rawValue)"))) \
        \(each: readings, { link($0, scheme, context) })</span>
        """
    }
    return """
      <strong>\(entries.first.map { "\(context.formats.shortMonthDay($0.time.day))" })</strong> \(parts)
      """
  }

  private static func link(
    _ entry: BloodPressure.Entry, _ scheme: PressureScheme, _ context: Context
  ) -> HTML {
    let isNotable = scheme.kind(of: entry.pressure).tone == .danger || entry.pressure.isLow
    let badge: HTML? =
      isNotable || entry.pressure.isSevere
      ? "\(PressureViews.badge(entry.pressure, scheme, context)) " : nil
    return """
      <a href="\(BloodPressurePage.path(entry.id))"><bdi dir="ltr">\
      \(entry.pressure.systolic)/\(entry.pressure.diastolic)</bdi></a> \(badge)
      """
  }

  var page: Page { list.page }
}

/// The form for a new reading.
struct NewBloodPressure: RoutedForm {
  static let address = BloodPressure.pages.new
  static let title: Text = "pressure.new"
  static let form = BloodPressure.form
  static let again: Text? = "pressure.save-again"
  static let cancel = BloodPressureList.path
  static var route: Route { Route(Self.self).saying(nil) }

  private let context: Context

  init(_ context: Context) { self.context = context }

  /// A new reading with the current time. After one of another day, such as from a list on paper,
  /// the form keeps that day.
  var start: BloodPressure {
    get throws {
      var reading = try BloodPressure.start(in: context)
      if let earlier = try EarlierReading.find(context)?.measuredAt, earlier.day < context.today {
        reading.measuredAt = ZonedTime(earlier.instant + Seconds(120), offset: earlier.offset)
      }
      return reading
    }
  }

  /// The reading that was saved a moment ago, with its advice, and a link to the page on how to
  /// measure.
  var about: HTML? {
    get throws {
      """
      \(try EarlierReading.find(context)?.html(context))\
      <p class="hint"><a href="\(GuidePage.path)">\(context.text("guide.title"))</a></p>
      """
    }
  }

  func save(_ reading: BloodPressure, in context: Context) throws -> Redirect {
    let next = Redirect(to: try BloodPressure.create(reading, context))
    // The page after a severe reading begins with what to do now.
    return reading.pressure.isSevere ? next : next.saying("pressure.saved")
  }
}

extension BloodPressure {
  /// Returns a new reading with the current time and the arm that was used last.
  static func start(in context: Context) throws -> BloodPressure {
    var reading = BloodPressure()
    reading.measuredAt = ZonedTime(context.now, in: context.formats.timeZone)
    try index.prefix(in: context) { entry in
      reading.arm = entry.arm?.rawValue ?? ""
      return false
    }
    return reading
  }
}

/// The page on how to measure.
struct GuidePage: RoutedPage {
  static let address: Address<Void> = "/health-metrics/guide"

  private let context: Context

  init(_ context: Context) { self.context = context }

  var page: Page {
    let steps: [Text] = [
      "guide.before", "guide.rest", "guide.sit", "guide.arm", "guide.cuff", "guide.quiet",
      "guide.twice", "guide.note",
    ]
    return Page(
      "guide.title",
      """
      <p class="lead">\(context.text("guide.lead"))</p><section class="panel prose">\
      <ol>\(each: steps, { "<li>\(context.text($0))</li>" })</ol></section>\
      \(actions:
        context.button("pressure.new", to: NewBloodPressure.path),
        context.button("week.title", to: HomeWeekPage.path, style: .secondary))\
      <p class="hint">\(context.text("guide.source", Citation.esh.argument)) \(context.text("pressure.no-diagnosis"))</p>
      """, back: Overview.path)
  }
}
