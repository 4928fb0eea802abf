import PolyclinicCore

/// The pages on which somebody finds a free time of a doctor: a month's days, then a day's times.
struct FreeTimes {
  let practice: Practice
  /// Where the pages stand: those of a new booking, or of one that is moved.
  let base: Path
  /// Where the first of them leads back to.
  let back: Path
  /// Who looks for it.
  let searcher: Searcher
  let context: Context

  /// Who looks for a free time.
  enum Searcher {
    /// Whose appointment it is to be: who can be told when something earlier becomes free.
    case patient
    /// A receptionist, for somebody else.
    case desk
  }

  /// The page of a month, with how much is free on each of its days; `next` is offered where nothing is.
  func month(
    _ month: Month, _ availability: Availability, next: BookableTime?
  ) throws -> Page {
    let calendar = MonthCalendar(
      month, free: month.days.map { availability.freeCount(on: $0) }, at: path(ofDaysIn: month),
      context)
    let content = calendar.isEmpty ? nothing(next) : calendar.table
    return Page(
      "times.days",
      """
      \(try BookingWords.practice(practice, context))\(turns(month))\(content)\
      \(zoneNote)\(searcher == .patient ? try WishViews.offer(practice.doctor.id, context) : nil)
      """,
      back: back)
  }

  /// The page of a day, with its free times as buttons.
  func day(_ date: CalendarDate, _ availability: Availability) throws -> Page {
    let times = availability.free(on: date)
    let list: HTML =
      times.isEmpty
      ? "<section class=\"empty\">\(context.icon(.clock))<h2>\(context.text("times.none.day"))</h2></section>"
      : "<ul class=\"times\">\(each: times, button)</ul>"
    return Page(
      "times.times",
      """
      \(try BookingWords.practice(practice, context))<h2>\(BookingWords.day(date, context))</h2>\
      \(list)\(zoneNote)<p class="actions"><a class="button secondary" \
      href="\(path(of: Month(date)))">\(context.text("booking.other-days"))</a></p>
      """,
      back: path(of: Month(date)))
  }

  private func button(_ time: BookableTime) -> HTML {
    """
    <li><a class="button secondary" href="\(path(of: time))">\(BookingWords.time(time, context))</a></li>
    """
  }

  private var doctor: String { practice.doctor.id.description }

  private func path(of month: Month) -> Path {
    base.query(["doctor": doctor, "month": month.description])
  }

  /// What the paths of all days of a month begin with.
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

extension FreeTimes {
  private func turns(_ month: Month) -> HTML {
    let today = practice.local(context.now).date
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
    """
    <a class="button secondary" rel="\(rel)" href="\(path(of: month))">\(context.text(label))</a>
    """
  }

  private func title(of month: Month) -> String {
    context.text(Text("month.\(month.first.month)"), ["year": String(month.first.year)])
  }

  private func nothing(_ next: BookableTime?) -> HTML {
    let way: HTML? = next.map {
      """
      <p class="actions"><a class="button" href="\(path(of: $0.local.date))">\
      \(context.text("times.first", ["time": BookingWords.shortDateTime($0, context)]))</a></p>
      """
    }
    return """
      <section class="empty">\(context.icon(.calendar))<h2>\(context.text("times.none.month"))</h2>\
      \(way)</section>
      """
  }

  private var zoneNote: HTML? {
    BookingWords.zoneNote(practice.clinic.zone, at: context.now, context)
  }
}
