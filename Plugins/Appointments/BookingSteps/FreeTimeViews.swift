import PolyclinicCore

/// The pages for finding a free time of a doctor: the days of a month, then the times of a day.
struct FreeTimeViews {
  let placement: DoctorPlacement
  /// The path of the pages: that of a new booking or of a reschedule.
  let base: Path
  /// The path to which the first page leads back.
  let back: Path
  let context: Context

  /// Returns the page of a month, with the number of free times of each day. If there are none, it offers `next`. `below` stands
  /// at the end.
  func month(
    _ month: Month, _ availability: Availability, next: BookableTime?, below: HTML?
  ) throws -> Page {
    let calendar = MonthCalendar(
      month, free: month.days.map { availability.freeCount(on: $0) }, at: path(ofDaysIn: month),
      context)
    let content = calendar.isEmpty ? nothing(next) : calendar.table
    return Page(
      "times.days",
      """
      \(try BookingText.placement(placement, context))\(turns(month))\(content)\
      \(zoneNote)\(below)
      """,
      back: back)
  }

  /// Returns the page of a day, with its free times as buttons.
  func day(_ date: CalendarDate, _ availability: Availability) throws -> Page {
    let times = availability.free(on: date)
    let list: HTML =
      times.isEmpty
      ? context.emptyState(.clock, "times.none.day")
      : "<ul class=\"times\">\(each: times, button)</ul>"
    return Page(
      "times.times",
      """
      \(try BookingText.placement(placement, context))<h2>\(BookingText.day(date, context))</h2>\
      \(list)\(zoneNote)\
      \(actions:
        context.button("booking.other-days", to: path(of: Month(date)), style: .secondary))
      """,
      back: path(of: Month(date)))
  }

  private func button(_ time: BookableTime) -> HTML {
    let shown: HTML = "\(BookingText.time(time, context))"
    return "<li>\(context.button(showing: shown, to: path(of: time), style: .secondary))</li>"
  }

  private var doctor: String { placement.doctor.id.description }

  private func path(of month: Month) -> Path {
    base.query(["doctor": doctor, "month": month.description])
  }

  /// Returns the common prefix of the paths of all days of a month.
  private func path(ofDaysIn month: Month) -> Path {
    base.query(["doctor": doctor, "date": month.description])
  }

  private func path(of day: CalendarDate) -> Path {
    base.query(["doctor": doctor, "date": day.description])
  }

  private func path(of time: BookableTime) -> Path {
    let (date, clock) = (time.local.date.description, String(time.local.description.suffix(5)))
    guard let offset = time.offset else {
      return base.query(["doctor": doctor, "date": date, "time": clock])
    }
    return base.query([
      "doctor": doctor, "date": date, "time": clock, "offset": offset,
    ])
  }
}

extension FreeTimeViews {
  private func turns(_ month: Month) -> HTML {
    let today = placement.local(context.now).date
    let hasPrevious = month > Month(today)
    let hasNext = month < Month(today.adding(days: BookingRequest.horizon))
    let previous: HTML? =
      hasPrevious ? turn("times.previous", "prev", to: month.previous) : nil
    let next: HTML? = hasNext ? turn("times.next", "next", to: month.next) : nil
    return """
      <nav class="pages" aria-label="\(context.text("times.months"))">\(previous)\
      <span><strong>\(title(of: month))</strong></span>\(next)</nav>
      """
  }

  private func turn(_ label: Text, _ rel: StaticString, to month: Month) -> HTML {
    context.button(label, to: path(of: month), style: .secondary, rel: rel)
  }

  private func title(of month: Month) -> String {
    context.text(Text("month.\(month.first.month)"), ["year": String(month.first.year)])
  }

  private func nothing(_ next: BookableTime?) -> HTML {
    let first = next.map {
      context.button(
        Text("times.first", ["time": BookingText.shortDateTime($0, context)]),
        to: path(of: $0.local.date))
    }
    return context.emptyState(.calendar, "times.none.month", actions: first)
  }

  private var zoneNote: HTML? {
    BookingText.zoneNote(placement.clinic.zone, at: context.now, context)
  }
}
