import PolyclinicCore

/// The pages of a week of home measurements: its start, its progress and its result.
enum HomeWeekPages {
  static var routes: [Route] {
    [
      .get("home-week", show),
      .form(
        "home-week/start", WeekStart.form, title: "week.start", cancel: "home-week",
        submit: "week.start.submit", start: start, save: save),
      .confirm(
        "home-week/end", title: "week.end.title", question: endQuestion, yes: "week.end.yes",
        cancel: "home-week", save: end
      ).saying("week.ended"),
    ]
  }

  /// The form for the first day of a week.
  struct WeekStart: Sendable {
    var start: CalendarDate?

    static let form = Form(
      WeekStart(), .date(\.start, "start", required: true, hint: "field.start.hint"))
  }

  /// The most days that the first day may lie in the past or in the future.
  private static let reach = 31

  static func start(_ context: Context) -> WeekStart { WeekStart(start: context.today) }

  static func save(
    _ week: WeekStart, _ context: Context
  ) throws -> Path {
    let today = context.today
    guard let start = week.start, abs(start.daysSince1970 - today.daysSince1970) <= reach
    else { throw Refusal.invalid("start", Text("error.week-start", count: reach)) }
    var preferences = try Preferences.find(in: context)
    preferences.weekStart = start
    try preferences.save(in: context)
    return "home-week"
  }

  /// Returns the average that goes with the week, if there is one, and the place of the readings.
  static func endQuestion(_ context: Context) throws -> HTML {
    guard let week = try find(context).week else { throw Refusal.notFound }
    let average = week.average
    let result: HTML? =
      average.count == 0
      ? nil
      : """
      <p>\(context.text("week.result.so-far")): \
      <strong>\(PressureViews.reading(average.mean, context))</strong></p>
      """
    return "\(result)<p>\(context.text("week.end.about"))</p>"
  }

  static func end(_ context: Context) throws -> Path {
    var preferences = try Preferences.find(in: context)
    preferences.weekStart = nil
    try preferences.save(in: context)
    return "home-week"
  }

  /// Returns the preferences, and the week that the person has begun; nil if there is none.
  private static func find(
    _ context: Context
  ) throws -> (preferences: Preferences, week: HomeWeek?) {
    let preferences = try Preferences.find(in: context)
    let week = try HomeWeek.find(preferences, in: context.formats.timeZone, in: context)
    return (preferences, week)
  }

  static func show(_ context: Context) throws -> Response {
    let (preferences, week) = try find(context)
    guard let week else { return .page(offer(context)) }
    let view = HomeWeekView(
      week: week, now: ZonedTime(context.now, in: context.formats.timeZone),
      scheme: preferences.scheme == .aha ? .aha : .escHome, context: context)
    return .page(view.page)
  }

  private static func offer(_ context: Context) -> Page {
    Page(
      "week.title",
      """
      <p class="lead">\(context.text("week.lead"))</p><section class="panel prose"><ol>\
      <li>\(context.text("week.how.twice"))</li><li>\(context.text("week.how.days"))</li>\
      <li>\(context.text("week.how.first"))</li><li>\(context.text("week.how.result"))</li></ol></section>\
      \(actions:
        context.button("week.start", to: "/health-metrics/home-week/start"),
        context.button("guide.title", to: "/health-metrics/guide", style: .secondary))<p class="hint">\(context.text("week.source", Citation.esh))</p>
      """, back: "")
  }
}

/// The page of a week in progress or of its result.
struct HomeWeekView {
  let week: HomeWeek
  let now: ZonedTime
  /// The classes for home measurements, independent of the person's preference for other readings.
  let scheme: PressureScheme
  let context: Context

  var page: Page {
    Page(
      "week.title",
      """
      \(step)\(result)\(table)\(others)\(PressureViews.source(scheme, context))\
      <p class="hint">\(context.text("week.source", Citation.esh))</p>\
      \(actions:
        week.isOver(at: now)
          ? context.button("week.start", to: "/health-metrics/home-week/start", style: .secondary)
          : nil,
        context.button(
          "week.end", to: "/health-metrics/home-week/end", style: [.plain, .danger]))
      """, back: "", width: .wide)
  }

  /// A notice with the next reading to take.
  private var step: HTML? {
    guard !week.isOver(at: now), let next = week.next(at: now) else { return nil }
    return context.notice(
      .remark, week.words(for: next, context),
      action: context.button(
        "pressure.new", to: "/health-metrics/blood-pressure/new", style: [.secondary, .small]))
  }

  /// The average of the days that count. It shows a class only if there are enough readings.
  private var result: HTML {
    let average = week.average
    guard average.count > 0 else {
      return context.resultCount(Text("week.counted", count: average.count))
    }
    let count = context.text("week.counted", count: average.count)
    let title: Text = week.isOver(at: now) ? "week.result" : "week.result.so-far"
    let kind: HTML =
      average.count >= HomeWeek.fewest
      ? "<p>\(PressureViews.badge(average.mean, scheme, context))</p>"
      : "<p class=\"hint\">\(context.text("week.too-few", count: HomeWeek.fewest))</p>"
    return """
      <section class="panel"><h2>\(context.text(title))</h2>\
      <p class="figure">\(PressureViews.reading(average.mean, context))</p>\(kind)\
      <p class="muted">\(count)</p></section>
      """
  }

  private var table: HTML {
    let columns: [Text] = ["week.day"] + HomeWeek.Part.allCases.map(\.title)
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(context.text("week.table"))">\
      <table class="data"><caption>\(context.text("week.table"))</caption><thead><tr>\
      \(each: columns, { "<th scope=\"col\">\(context.text($0))</th>" })</tr></thead>\
      <tbody>\(each: 0..<HomeWeek.days, row)</tbody></table></div>
      """
  }

  /// Says that the week has further readings, which the table leaves out.
  private var others: HTML? {
    week.others == 0
      ? nil : "<p class=\"hint\">\(context.text("week.others", count: week.others))</p>"
  }

  private func row(_ day: Int) -> HTML {
    let cells: [HTML] = HomeWeek.Part.allCases.map { part in
      let readings = week.readings(day, part)
      if readings.isEmpty { return "<td><span class=\"muted\">–</span></td>" }
      return "<td class=\"pair\">\(each: readings, link)</td>"
    }
    let note: HTML? =
      day == 0 ? "<span class=\"secondary-text\">\(context.text("week.not-counted"))</span>" : nil
    return """
      <tr><th scope="row">\(context.formats.shortMonthDay(week.start.adding(days: day)))\
      \(note)</th>\(cells)</tr>
      """
  }

  private func link(_ entry: BloodPressure.Entry) -> HTML {
    """
    <a href="/health-metrics/blood-pressure/\(entry.id)"><bdi dir="ltr">\
    \(entry.pressure.systolic)/\(entry.pressure.diastolic)</bdi></a>\(" ")
    """
  }
}
