import PolyclinicCore
import PolyclinicPlaces

/// A person's appointments, with doctors and elsewhere, and their visits without an appointment, in
/// chronological order.
struct Agenda {
  let entries: [Entry]
  let pagination: Page.Pagination

  /// A part of the agenda. A booking is upcoming while it is open and has not ended, an appointment
  /// elsewhere until it starts. A visit without an appointment is listed when it is over.
  enum Part: String, CaseIterable, Sendable {
    case upcoming, completed

    var title: Text { self == .upcoming ? "agenda.upcoming" : "agenda.past" }
  }

  /// An appointment as lists show it.
  struct Entry: Sendable {
    let id: Int64
    let startsAt: Instant
    let kind: Kind

    enum Kind: Sendable {
      case booking(Booking, Place)
      case personal(LocalDateTime?, location: String)
      /// A visit after waiting on a doctor's list, at the time of the call.
      case walkIn(LocalDateTime, Place)
    }
  }

  /// The doctor of an appointment, and the clinic.
  struct Place: Sendable {
    let doctor: DoctorName
    let specialization: Specialization?
    let clinic: LocalizedText
    /// The position of the clinic; nil if it is unknown.
    let coordinates: Coordinates?

    /// The columns, in the order in which ``init(_:)`` reads them.
    fileprivate static let columns: SQL =
      "\(DoctorName.columns), specialization, name_en, name_ru, name_he, latitude, longitude"
    fileprivate static let joins: SQL = """
      JOIN appointments_departments ON id_department = department
      JOIN appointments_clinics ON id_clinic = clinic
      """

    fileprivate init(_ row: Row) {
      doctor = DoctorName(row)
      let place = row.from(DoctorName.columnCount)
      specialization = Specialization(rawValue: place.string(0))
      clinic = LocalizedText(
        english: place.string(1), russian: place.string(2), hebrew: place.string(3))
      coordinates =
        place.isNull(4) || place.isNull(5)
        ? nil : Coordinates(latitude: place.real(4), longitude: place.real(5))
    }
  }
}

extension Agenda {
  /// The most pages of one part; one person has fewer appointments.
  private static let mostPages = 1_000

  /// Loads one page of a part: upcoming appointments with the soonest first, completed ones with
  /// the latest first.
  init(_ part: Part, page number: Int, in work: Work) throws {
    let isUpcoming = part == .upcoming
    let state: SQL =
      isUpcoming
      ? "\(Appointment.Status.open) AND ends_at > \(work.now)"
      : "(NOT \(Appointment.Status.open) OR ends_at <= \(work.now))"
    let condition: SQL = try "appointments.person = \(work.keys.person) AND \(state)"
    let personal = try Self.personal(part, in: work)
    let visits: SQL = try "appointments_tickets.person = \(work.keys.person) AND \(Ticket.visited)"
    let walkedIn =
      isUpcoming
      ? 0 : try work.integer("SELECT count(*) FROM appointments_tickets WHERE \(visits)") ?? 0
    // Read from the first one on, because those elsewhere and visits stand between them.
    let limit = min(max(1, number), Self.mostPages) * Page.Pagination.size
    let bookings = try Self.bookings(
      where: condition,
      by: isUpcoming ? "starts_at, id_appointment" : "starts_at DESC, id_appointment DESC",
      limit: limit, in: work)
    let walkIns = walkedIn == 0 ? [] : try Self.walkIns(where: visits, limit: limit, in: work)
    pagination = Page.Pagination(
      page: number, total: bookings.total + walkedIn + personal.count)
    let all = (personal + bookings.entries + walkIns).sorted { one, other in
      isUpcoming
        ? (one.startsAt, one.id) < (other.startsAt, other.id)
        : (one.startsAt, one.id) > (other.startsAt, other.id)
    }
    entries = Array(all.dropFirst(pagination.range.lowerBound).prefix(Page.Pagination.size))
  }

  private static func personal(_ part: Part, in work: Work) throws -> [Entry] {
    var entries: [Entry] = []
    try PersonalAppointment.index.forEach(in: work) { entry in
      guard (entry.startsAt > work.now) == (part == .upcoming) else { return }
      entries.append(
        Entry(
          id: entry.id.rawValue, startsAt: entry.startsAt,
          kind: .personal(entry.local, location: entry.location)))
    }
    return entries
  }

  private static func bookings(
    where condition: SQL, by order: SQL, limit: Int, in work: Work
  ) throws -> (entries: [Entry], total: Int) {
    var total = 0
    let entries = try work.rows(
      """
      SELECT \(Booking.columns), count(*) OVER (), \(Place.columns)
      FROM appointments
      JOIN appointments_doctors AS doctors ON id_doctor = appointments.doctor \(Place.joins)
      WHERE \(condition)
      ORDER BY \(order) LIMIT \(limit)
      """
    ) { row in
      let booking = try Booking(row)
      total = row.int(Booking.columnCount)
      return Entry(
        id: booking.id.rawValue, startsAt: booking.span.lowerBound,
        kind: .booking(booking, Place(row.from(Booking.columnCount + 1))))
    }
    return (entries, total)
  }

  private static func walkIns(where condition: SQL, limit: Int, in work: Work) throws -> [Entry] {
    try work.rows(
      """
      SELECT id_ticket, appointments_tickets.called_at, time_zone, \(Place.columns)
      FROM appointments_tickets JOIN appointments_sessions ON id_session = session
      JOIN appointments_doctors AS doctors ON id_doctor = appointments_sessions.doctor
      \(Place.joins)
      WHERE \(condition)
      ORDER BY appointments_tickets.called_at DESC, id_ticket DESC LIMIT \(limit)
      """
    ) { row in
      let id: ID<Ticket> = row.id(0)
      let calledAt = row.instant(1)
      return Entry(
        id: id.rawValue, startsAt: calledAt,
        kind: .walkIn(
          LocalDateTime(calledAt, in: Zone(row.string(2)) ?? .utc), Place(row.from(3))))
    }
  }
}

extension Agenda.Entry {
  /// The page of the appointment. A visit without an appointment has none.
  var path: Path { Appointment.page.path(ID(id)) }

  /// Returns an appointment as a link, with its time, its doctor or location, and its status;
  /// `tile` is that of its day.
  func row(in part: Agenda.Part, tile: HTML? = nil, _ context: Context) throws -> HTML {
    if case .walkIn = kind {
      return .row(
        title(context), mark: context.badge("agenda.walk-in", .neutral),
        detail: try place(context), lead: tile)
    }
    return .row(
      to: path, title(context), mark: badge(in: part, context), detail: try place(context),
      lead: tile)
  }

  /// Returns the tile of the appointment's day, by its local time.
  func tile(_ context: Context) -> HTML {
    let (date, zone) = day(context)
    return BookingText.tile(of: date, today: LocalDateTime(context.now, in: zone).date, context)
  }

  /// Returns the number of days until the appointment, by its local time.
  func daysAhead(_ context: Context) -> Int {
    let (date, zone) = day(context)
    return date.daysSince1970 - LocalDateTime(context.now, in: zone).date.daysSince1970
  }

  /// Returns the day of the appointment and the time zone of its place.
  private func day(_ context: Context) -> (CalendarDate, Zone) {
    switch kind {
    case .booking(let booking, _): (booking.local.date, booking.zone)
    case .personal(let local, _):
      (local?.date ?? context.formats.day(of: startsAt), context.formats.timeZone)
    case .walkIn(let local, _): (local.date, context.formats.timeZone)
    }
  }

  func title(_ context: Context) -> HTML {
    switch kind {
    case .booking(let booking, _):
      let note: HTML? =
        BookingText.haveSameOffset(booking.zone, context.formats.timeZone, at: startsAt)
        ? nil : " <span class=\"muted\">(\(booking.zone.identifier))</span>"
      let time = Slot(span: booking.span, zone: booking.zone)
      return "\(day(booking.local.date, context)), \(BookingText.time(time, context))\(note)"
    case .personal(let local, _):
      let shown = local ?? LocalDateTime(startsAt, in: context.formats.timeZone)
      return "\(day(shown.date, context)), \(context.formats.time(shown))"
    case .walkIn(let local, _):
      return "\(day(local.date, context)), \(context.formats.time(local))"
    }
  }

  /// Returns the day, without the year if it is the current one.
  private func day(_ date: CalendarDate, _ context: Context) -> String {
    date.year == context.today.year
      ? BookingText.shortDay(date, context) : BookingText.day(date, context)
  }

  func place(_ context: Context) throws -> HTML {
    switch kind {
    case .booking(_, let place), .walkIn(_, let place):
      let what: HTML? = place.specialization.map { " · \(context.text($0.title))" }
      let clinic = place.clinic.string(in: context.language)
      return "<bdi>\(try place.doctor.shown(context))</bdi>\(what) · <bdi>\(clinic)</bdi>"
    case .personal(_, let location): return "<bdi>\(location)</bdi>"
    }
  }

  /// Returns the status badge of a booking. Nil for an upcoming one with the status booked, because
  /// the list implies it, and for an appointment elsewhere.
  private func badge(in part: Agenda.Part, _ context: Context) -> HTML? {
    guard case .booking(let booking, _) = kind, part == .completed || booking.status != .booked
    else { return nil }
    return AppointmentFacts.badge(booking, context)
  }
}
