import PolyclinicCore

/// The page that leads to a doctor's free time: the days with their times, and four weeks of a
/// calendar. New bookings, reschedules and bookings by staff share it.
struct FreeTimePages {
  /// The path of the page, without a query.
  let base: Path
  /// The path to which the page leads back; nil for the doctors of the same specialization.
  var back: Path?
  /// The words of the link to ``back``; nil for the usual ones.
  var backLabel: Text?
  /// The title; nil for the one with the doctor's name.
  var title: Text?
  /// The first day of the page if the query names none, such as that of the appointment that is
  /// being moved; nil for today.
  var start: CalendarDate?
  /// The time that an alert has announced and somebody else has booked; nil if there is none.
  var taken: Slot?
  /// The content above the days, such as the appointment that is being moved.
  var above: HTML?
  /// The content below the days.
  var below: HTML?
  /// The choices of earlier pages that each link of the page carries along.
  var kept = Fields()

  /// Returns the doctor in the query. Throws ``Refusal/notFound`` if there is none.
  static func doctor(_ context: Context) throws -> ID<Doctor> {
    guard let id = ID<Doctor>(context.request.query["doctor"]) else { throw Refusal.notFound }
    return id
  }

  /// Returns the page of a doctor's free times, with the day in the query open, or the first one
  /// with a free time.
  func show(_ doctor: ID<Doctor>, _ context: Context) throws -> Response {
    let query = context.request.query
    let date = CalendarDate(query["date"])
    if date == nil && !query["date"].isEmpty { throw Refusal.notFound }
    guard let placement = try DoctorPlacement.find(doctor, in: context) else {
      throw Refusal.notFound
    }
    guard placement.isOpen else { throw Refusal.conflict("booking.error.disabled-doctor") }
    let today = placement.local(context.now).date
    let last = today.adding(days: BookingRequest.horizon)
    func bounded(_ date: CalendarDate) -> CalendarDate { min(max(date, today), last) }
    let turned = CalendarDate(query["weeks"])
    let start = bounded(date ?? CalendarDate(query["from"]) ?? turned ?? self.start ?? today)
    var shown = try FreeTimes.find(
      of: placement, from: start, isTurned: date == nil && turned != nil, context)
    if date != nil { shown.open = start }
    let view = FreeTimeView(placement: placement, times: shown, pages: self, context: context)
    return .page(try view.page)
  }
}

/// The page of a doctor's free times: days with their times, and beside them the calendar.
private struct FreeTimeView {
  let placement: DoctorPlacement
  let times: FreeTimes
  let pages: FreeTimePages
  let context: Context

  var page: Page {
    get throws {
      let doctor = try placement.doctor.name.shown(context)
      let named: HTML? = pages.title == nil ? nil : "<bdi>\(doctor)</bdi> · "
      var page = Page(
        pages.title ?? Text("times.title.with", ["doctor": doctor]),
        """
        \(taken)<p class="lead">\(named)\(BookingText.placement(placement, context))</p>\(pages.above)\
        <div class="booking"><div>\(list)\(zoneNote)</div>\
        <section class="month\(attribute: " shown", if: isTurned)" id="month" aria-label="\(context.text("times.month"))">\(calendar)\
        </section></div>\(pages.below)
        """,
        back: pages.back ?? NewAppointment.doctors(of: placement.department.specialization),
        assets: [.freeTimes], width: .wide)
      page.backLabel =
        pages.back == nil ? placement.department.specialization.title : pages.backLabel
      return page
    }
  }

  /// True if the visitor has turned to other weeks, which a phone then shows at once.
  private var isTurned: Bool { !context.request.query["weeks"].isEmpty }

  /// The notice that the time of an alert is taken; nil without such a time.
  private var taken: HTML? {
    pages.taken.map { time in
      let words = [
        "time": BookingText.time(time, context), "day": BookingText.day(time.local.date, context),
      ]
      return context.notice(
        .problem, Text(times.isFull ? "times.taken.last" : "times.taken", words))
    }
  }

  private var list: HTML {
    if times.open == nil { return context.emptyState(.calendar, "times.none") }
    let days = times.days(at: context.now)
    return """
      \(each: days, { day($0.date, $0.state) })\(turns(after: days.last?.date))\
      <p class="to-month"><a href="#month">\(context.text("times.to-month"))</a></p>
      """
  }

  /// Returns a day with its times, open if it is the chosen one, or a line that says why it has
  /// none.
  private func day(_ date: CalendarDate, _ state: DayState) -> HTML {
    let shown =
      date.year == times.today.year
      ? BookingText.shortDay(date, context) : BookingText.day(date, context)
    let name: HTML = "<strong>\(shown)</strong>\(nearness(date))"
    guard case .free(let count) = state else {
      let word = state.word.map { context.text($0) } ?? ""
      return "<p class=\"day\">\(name) <span class=\"secondary-text\">\(word)</span></p>"
    }
    let isOpen = date == times.open
    return """
      <details class="day"\(attribute: " open", if: isOpen)><summary>\(name) \
      <span class="secondary-text">\(context.text("times.free", count: count))</span></summary>\
      \(parts(of: times.availability.free(on: date)))</details>
      """
  }

  private func nearness(_ date: CalendarDate) -> HTML? {
    switch date {
    case times.today: " \(context.badge("times.today", .now))"
    case times.today.adding(days: 1): " \(context.badge("times.tomorrow"))"
    default: nil
    }
  }

  /// Returns the times of a day in up to three lists: morning, afternoon and evening.
  private func parts(of free: [Slot]) -> HTML {
    let parts: [(Text, Range<Int>)] = [
      ("times.morning", 0..<12), ("times.afternoon", 12..<17), ("times.evening", 17..<24),
    ]
    // A page has hundreds of buttons, so a time is converted once.
    let times = free.map { (local: $0.local, offset: $0.offset) }
    guard let day = times.first.map({ path([("date", $0.local.date.description)]) }) else {
      return HTML()
    }
    return "\(each: parts, { part($0.0, times, $0.1, of: day) })"
  }

  private func part(
    _ title: Text, _ free: [(local: LocalDateTime, offset: String?)], _ hours: Range<Int>,
    of day: Path
  ) -> HTML {
    let shown = free.filter { hours.contains($0.local.hour) }
    if shown.isEmpty { return HTML() }
    let buttons = context.buttons(forTimes: shown, of: day, style: .secondary)
    return """
      <h2>\(context.text(title))</h2><ul class="times">\(each: buttons, { "<li>\($0)</li>" })</ul>
      """
  }

  /// The links to the earliest times and to the days after the listed ones.
  private func turns(after last: CalendarDate?) -> HTML {
    let isFirst = times.open == times.availability.firstFreeDay(from: times.today)
    let first = pages.start == nil ? [] : [("from", times.today.description)]
    let earliest: HTML? =
      isFirst
      ? nil
      : context.button("times.earliest", to: path(first), style: [.secondary, .small])
    let end = times.today.adding(days: BookingRequest.horizon)
    let later = last.flatMap { $0 < end ? $0.adding(days: 1) : nil }
    return """
      \(actions: earliest,
        later.map {
          context.button(
            "times.later", to: path([("from", $0.description)]), style: [.secondary, .small])
        })
      """
  }

  /// Returns the path of this page with further choices.
  private func path(_ choices: [(String, String)]) -> Path {
    var fields = pages.kept
    fields.append("doctor", placement.doctor.id.description)
    for (name, value) in choices { fields.append(name, value) }
    return pages.base.query(fields)
  }
}

/// The calendar.
extension FreeTimeView {
  private var calendar: HTML {
    let days = WeeksCalendar(times, at: path([("date", "")]), context)
    return """
      \(pageLinks)\(days.table)<p class="hint">\(context.text("times.legend"))</p>
      """
  }

  private var pageLinks: HTML {
    let (first, last) = (times.weeks.lowerBound, times.weeks.upperBound)
    let end = times.today.adding(days: BookingRequest.horizon)
    let earlier = first > times.today ? max(first.adding(days: -1), times.today) : nil
    let later = last < end ? last.adding(days: 1) : nil
    let formats = context.formats
    return """
      <nav class="pages" aria-label="\(context.text("times.months"))">\
      \(earlier.map { turn("times.previous", "prev", to: $0) })\
      <span><strong>\(formats.shortMonthDay(first)) – \(formats.shortMonthDay(last))</strong></span>\
      \(later.map { turn("times.next", "next", to: $0) })</nav>
      """
  }

  private func turn(_ label: Text, _ rel: StaticString, to day: CalendarDate) -> HTML {
    context.button(
      label, to: path([("weeks", day.description)]), style: [.secondary, .small], rel: rel)
  }

  private var zoneNote: HTML? {
    BookingText.zoneNote(placement.clinic.zone, at: context.now, context)
  }
}

extension Page.Asset {
  /// The style of a doctor's free times.
  static let freeTimes = Page.Asset("free-times.css", PackageResources.free_times_css)
}
