import PolyclinicCharts
import PolyclinicCore

/// The page of a week of home measurements: the offer to begin one, its progress, or its result.
struct HomeWeekPage: RoutedPage {
  static let address: Address<Void> = "/health-metrics/home-week"
  static let linkTitle: Text? = "week.title"

  /// The week that the person has begun; nil if there is none.
  private let view: HomeWeekView?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    let preferences = try Preferences.find(in: context)
    let week = try HomeWeek.find(preferences, in: context.formats.timeZone, in: context)
    view = try week.map { week in
      HomeWeekView(
        week: week, now: ZonedTime(context.now, in: context.formats.timeZone),
        scheme: try preferences.classes(context).atHome, context: context)
    }
  }

  var page: Page { view?.page ?? offer }

  private var offer: Page {
    Page(
      "week.title",
      """
      <p class="lead">\(context.text("week.lead"))</p><section class="panel prose"><ol>\
      <li>\(context.text("week.how.twice"))</li><li>\(context.text("week.how.days"))</li>\
      <li>\(context.text("week.how.first"))</li><li>\(context.text("week.how.result"))</li></ol></section>\
      \(actions:
        context.button("week.start", to: WeekStart.path),
        context.button("guide.title", to: GuidePage.path, style: .secondary))<p class="hint">\(context.text("week.source", Citation.esh.argument))</p>
      """, back: Overview.path)
  }
}

/// The form for the first day of a week.
struct WeekStart: RoutedForm {
  static let address: Address<Void> = "/health-metrics/home-week/start"
  static let title: Text = "week.start"
  static let submit: Text = "week.start.submit"
  static let cancel = HomeWeekPage.path
  static let form = Form(
    Draft(), .date(\.start, "start", required: true, hint: "field.start.hint"))

  struct Draft: Sendable {
    var start: CalendarDate?
  }

  /// The most days that the first day may lie in the past or in the future.
  private static let reach = 31

  let start: Draft

  init(_ context: Context) { start = Draft(start: context.today) }

  func save(_ week: Draft, in context: Context) throws -> Redirect {
    guard let start = week.start,
      abs(start.daysSince1970 - context.today.daysSince1970) <= Self.reach
    else { throw Refusal.invalid("start", Text("error.week-start", count: Self.reach)) }
    var preferences = try Preferences.find(in: context)
    preferences.weekStart = start
    try preferences.save(in: context)
    return Redirect(to: HomeWeekPage.path)
  }
}

/// The question before a week is ended.
struct WeekEnd: RoutedForm {
  static let address: Address<Void> = "/health-metrics/home-week/end"
  static let title: Text = "week.end.title"
  static let submit: Text = "week.end.yes"
  static let cancel = HomeWeekPage.path
  static let isQuestion = true
  static var route: Route { Route(Self.self).saying("week.ended") }

  private let preferences: Preferences
  private let week: HomeWeek
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    preferences = try Preferences.find(in: context)
    guard let week = try HomeWeek.find(preferences, in: context.formats.timeZone, in: context)
    else { throw Refusal.notFound }
    self.week = week
  }

  /// The average that goes with the week, if there is one, and the place of the readings.
  var about: HTML? {
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

  func save(_: Void, in context: Context) throws -> Redirect {
    var preferences = preferences
    preferences.weekStart = nil
    try preferences.save(in: context)
    return Redirect(to: HomeWeekPage.path)
  }
}

extension HomeWeek {
  /// Returns the card of the week that the person has begun: a tile for each morning and evening,
  /// and how many are measured; nil without a week. The next reading is due on its day. On other
  /// days, and after the last reading, the card says what comes next.
  static func card(_ context: Context, _ due: inout [HTML]) throws -> HTML? {
    let zone = context.formats.timeZone
    guard let week = try find(Preferences.find(in: context), in: zone, in: context) else {
      return nil
    }
    let now = ZonedTime(context.now, in: zone)
    guard let next = week.next(on: now) else { return week.card("week.over", now.day, context) }
    let words = week.words(for: next, context)
    guard week.start.adding(days: next.day) == now.day else {
      return week.card(words, now.day, context)
    }
    // Before a visit, because it takes minutes and its time passes; after a very high reading.
    try due.insert(
      .row(
        to: NewBloodPressure.path, "\(context.text("card.pressure"))",
        detail: "\(context.text(words))", lead: context.icon(.heartPulse), kind: .pressure),
      at: BloodPressure.isUrgent(context) ? 1 : 0)
    return week.card(nil, now.day, context)
  }

  /// Returns the card for a page that does not show what is due.
  static func card(_ context: Context) throws -> HTML? {
    let zone = context.formats.timeZone
    guard let week = try find(Preferences.find(in: context), in: zone, in: context) else {
      return nil
    }
    let now = ZonedTime(context.now, in: zone)
    let next = week.next(on: now).map { week.words(for: $0, context) }
    return week.card(next ?? "week.over", now.day, context)
  }

  /// Returns the next reading to take; nil if the week is over.
  private func next(on now: ZonedTime) -> Step? { isOver(at: now) ? nil : next(at: now) }

  private func card(_ next: Text?, _ today: CalendarDate, _ context: Context) -> HTML {
    let full = slots.joined().count { $0.count == Self.readings }
    return """
      \(tiles(today: today, context))<p>\(context.text(Text("week.tiles", count: full)))</p>\
      \(next.map { "<p>\(context.text($0))</p>" })
      """
  }

  /// Returns a tile for each morning, and below it one for the evening: plain, half or filled. The
  /// words below the tiles say the same to screen readers.
  private func tiles(today: CalendarDate, _ context: Context) -> HTML {
    // One for each weekday from Monday on; the first day of 1970 was a Thursday.
    let letters = context.text("week.letters").split(separator: " ")
    let first = (start.daysSince1970 + 3) % Self.days
    return """
      <div class="tiles" aria-hidden="true"><span></span>\(each: 0..<Self.days, {
        "<b>\(letters.dropFirst((first + $0) % Self.days).first ?? "")</b>"
      })\(each: Part.allCases, { part in
        "<span>\(context.text(part.title))</span>\(tiles(part, today))"
      })</div>
      """
  }

  private func tiles(_ part: Part, _ today: CalendarDate) -> [HTML] {
    (0..<Self.days).map { tile($0, part, isToday: start.adding(days: $0) == today) }
  }

  private func tile(_ day: Int, _ part: Part, isToday: Bool) -> HTML {
    let count = readings(day, part).count
    let state: HTML = count == 0 ? "" : count < Self.readings ? "half" : "filled"
    return "<i class=\"\(state)\(attribute: " now", if: isToday)\"></i>"
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
      <p class="hint">\(context.text("week.source", Citation.esh.argument))</p>\
      \(actions:
        context.button("week.end", to: WeekEnd.path, style: [.plain, .danger]))
      """, back: Overview.path, assets: [Chart.style], width: .wide)
  }

  /// A notice with the next reading to take.
  private var step: HTML? {
    guard !week.isOver(at: now), let next = week.next(at: now) else { return nil }
    return context.notice(
      .remark, week.words(for: next, context),
      action: context.button(
        "pressure.new", to: NewBloodPressure.path, style: [.secondary, .small]))
  }

  /// The average of the days that count. It shows a class only if there are enough readings.
  private var result: HTML {
    let average = week.average
    guard average.count > 0 else {
      return context.resultCount(Text("week.counted", count: average.count))
    }
    let count = context.text("week.counted", count: average.count)
    let title: Text = week.isOver(at: now) ? "week.result" : "week.result.so-far"
    let kind: HTML? =
      average.count >= HomeWeek.fewest
      ? PressureViews.badge(average.mean, scheme, context).map { "<p>\($0)</p>" }
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
      <table class="data periods"><caption>\(context.text("week.table"))</caption><thead><tr>\
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
      let missing = missing(WeekSlot(week.start.adding(days: day), part))
      let name = context.text(part.title)
      if readings.isEmpty, missing == nil {
        return "<td data-label=\"\(name)\"><span class=\"muted\">–</span></td>"
      }
      return "<td class=\"pair\" data-label=\"\(name)\">\(each: readings, link)\(missing)</td>"
    }
    let note: HTML? =
      day == 0 ? "<span class=\"secondary-text\">\(context.text("week.not-counted"))</span>" : nil
    return """
      <tr><th scope="row">\(context.formats.shortMonthDay(week.start.adding(days: day)))\
      \(note)</th>\(cells)</tr>
      """
  }

  /// Returns the link to the form for a reading that a slot lacks; nil if it lacks none.
  private func missing(_ slot: WeekSlot) -> HTML? {
    guard week.missing(slot, at: now.instant, in: context.formats.timeZone) != nil else {
      return nil
    }
    let words = Text(
      "week.add-one",
      ["day": context.formats.shortMonthDay(slot.day), "part": context.text(slot.part.title)])
    return """
      <a href="\(WeekReading.address.path(slot))"><span aria-hidden="true">\(context.text("week.add"))</span>\
      <span class="hidden-text">\(context.text(words))</span></a>
      """
  }

  private func link(_ entry: BloodPressure.Entry) -> HTML {
    """
    <a href="\(BloodPressurePage.path(entry.id))"><bdi dir="ltr">\
    \(entry.pressure.words)</bdi></a>\(" ")
    """
  }
}
