import PolyclinicCore

/// The list of a person's readings.
struct BloodPressureList: RoutedPage {
  static let address = BloodPressure.pages.list
  static let linkTitle: Text? = "pressure.title"

  private let list: MeasurementList<BloodPressure.Entry>

  init(_ context: Context) throws {
    let scheme = try Preferences.find(in: context).classes(context)
    list = MeasurementList(
      found: try MeasurementSelection(
        context.request.query, of: BloodPressure.index, in: context.formats.timeZone, in: context),
      notice: try BloodPressure.records.undoNotice(context), context: context,
      besides: context.button("guide.title", to: GuidePage.path, style: .secondary),
      source: PressureViews.source(scheme, context), style: " tight readings",
      rows: { entries in
        MeasurementList.groups(entries, by: .day).flatMap { day in
          Self.rows(of: day.entries, scheme, context)
        }
      })
  }

  /// Returns a row for each reading of a day, the newest first. Only the first row of a day and of
  /// its part shows their names; screen readers read them in each row.
  private static func rows(
    of day: [BloodPressure.Entry], _ scheme: PressureScheme, _ context: Context
  ) -> [HTML] {
    var shownPart: DayPart?
    return day.enumerated().map { place, entry in
      let part = DayPart(entry.time)
      defer { shownPart = part }
      func cell(_ words: String, of style: StaticString, isShown: Bool) -> HTML {
        isShown
          ? "<span class=\"\(style)\">\(words)</span>"
          : "<span class=\"\(style)\"><span class=\"hidden-text\">\(words)</span></span>"
      }
      let day = context.formats.shortMonthDay(entry.time.day)
      let content: HTML = """
        <span class="reading-cells">\(cell(day, of: "of-day", isShown: place == 0)) \
        \(cell(context.text(Text("part.\(part.rawValue)")), of: "of-part", isShown: part != shownPart)) \
        \(cells(of: entry, scheme, context))</span>
        """
      return """
        <li\(attribute: " class=\"begins\"", if: place == 0)>\
        <a href="\(BloodPressurePage.path(entry.id))">\(content)</a></li>
        """
    }
  }

  /// Returns the time, the values and the pulse of a reading, and its mark if it is high or low.
  private static func cells(
    of entry: BloodPressure.Entry, _ scheme: PressureScheme, _ context: Context
  ) -> HTML {
    let pulse: HTML? = entry.pulse.map {
      "<span class=\"of-word\">\(context.text("pressure.pulse.word"))</span> \($0)"
    }
    return """
      <span class="of-reading"><span class="of-time">\(context.formats.time(entry.time.local))</span> \
      <span class="of-values"><strong><bdi dir="ltr">\(entry.pressure.words)</bdi></strong> \
      <span class="of-pulse">\(pulse)</span> \
      \(PressureViews.mark(entry.pressure, scheme, context))</span></span>
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

  /// A new reading with the current time.
  var start: BloodPressure {
    get throws { try BloodPressure.start(in: context) }
  }

  /// The reading of the last minutes, with its advice, and a link to the page on how to
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
    let scheme = try Preferences.find(in: context).classes(context)
    return scheme.isSevere(reading.pressure) ? next : next.saying("pressure.saved")
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
