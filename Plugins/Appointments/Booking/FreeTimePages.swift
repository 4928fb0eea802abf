import PolyclinicCore

/// The page that leads to a doctor's free time: the days with their times, and the month. New
/// bookings, reschedules and bookings by staff share it.
struct FreeTimePages {
  /// The path of the page, without a query.
  let base: Path
  /// The path to which the page leads back; nil for the doctors of the same specialization.
  var back: Path?
  /// The title; nil for the one with the doctor's name.
  var title: Text?
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
    let placement = try Self.openPlacement(doctor, in: context)
    let today = placement.local(context.now).date
    let last = today.adding(days: BookingRequest.horizon)
    func bounded(_ date: CalendarDate) -> CalendarDate { min(max(date, today), last) }
    let month = Month(query["month"]).map { max($0, Month(today)) }
    let from = CalendarDate(query["from"])
    let start = bounded(date ?? from ?? month?.first ?? today)
    var shown = try FreeTimes.find(
      of: placement, from: start, month: month.map { bounded($0.first) }, context)
    if date != nil { shown.open = start }
    let views = FreeTimeViews(
      placement: placement, times: shown, pages: self,
      back: back ?? Self.specialists(like: placement), context: context)
    return .page(try views.page)
  }

  private static func specialists(like placement: DoctorPlacement) -> Path {
    Path("/appointments/new").query([
      "specialization": placement.department.specialization.rawValue
    ])
  }

  private static func openPlacement(
    _ doctor: ID<Doctor>, in work: Work
  ) throws -> DoctorPlacement {
    guard let placement = try DoctorPlacement.find(doctor, in: work) else {
      throw Refusal.notFound
    }
    guard placement.isOpen else { throw Refusal.conflict("booking.error.disabled-doctor") }
    return placement
  }
}

/// The days and the month that a page of free times shows.
struct FreeTimes {
  /// The number of days that the page lists with their times.
  private static let listed = 5
  /// The number of days after the first one in which the listed days lie.
  private static let reach = 20

  let availability: Availability
  let month: Month
  /// The day whose times are open; nil if no time can be booked.
  var open: CalendarDate?
  /// True if no time can be booked from the first day on.
  let isFull: Bool
  let today: CalendarDate

  /// Loads the free times from a day on. Without a `month` it is that of the first day with a free
  /// time.
  static func find(
    of placement: DoctorPlacement, from start: CalendarDate, month: CalendarDate?,
    _ context: Context
  ) throws -> FreeTimes {
    let today = placement.local(context.now).date
    func load(_ days: ClosedRange<CalendarDate>) throws -> Availability {
      try Availability.find(
        of: placement, during: days, settings: context.portal.settings, in: context)
    }
    func reach(from day: CalendarDate) -> ClosedRange<CalendarDate> {
      min(Month(day).first, day)...max(Month(day).last, day.adding(days: Self.reach))
    }
    var availability = try load(reach(from: month ?? start))
    var open = availability.firstFreeDay(from: start)
    if open == nil, month == nil {
      open = try load(start...max(start, today.adding(days: BookingRequest.horizon)))
        .firstFreeDay(from: start)
    }
    if let open, month == nil, Month(open) != Month(start) {
      availability = try load(min(start, Month(open).first)...reach(from: open).upperBound)
    }
    return FreeTimes(
      availability: availability, month: Month(month ?? open ?? start), open: open,
      isFull: open == nil, today: today)
  }

  /// The open day and the working days after it, up to the number that the page lists.
  func days(at now: Instant) -> [(date: CalendarDate, state: DayState)] {
    guard let open else { return [] }
    var days = [(open, availability.state(of: open, at: now))]
    var date = open
    for _ in 0..<Self.reach where days.count < Self.listed {
      date = date.adding(days: 1)
      guard availability.schedule.days.contains(date) else { break }
      let state = availability.state(of: date, at: now)
      if state != .closed { days.append((date, state)) }
    }
    return days
  }
}
