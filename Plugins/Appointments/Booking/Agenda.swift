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

extension Agenda.Place {
  /// Returns “General practice · First Clinic”.
  fileprivate func clinic(_ context: Context) -> HTML {
    let what: HTML? = specialization.map { "\(context.text($0.title)) · " }
    return "\(what)<bdi>\(clinic.string(in: context.language))</bdi>"
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
    // Personal appointments are rows without a doctor.
    let isOwn: SQL = try "appointments.person = \(work.keys.person)"
    let condition: SQL = "\(isOwn) AND appointments.doctor IS NOT NULL AND \(state)"
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
    guard work.mayReadRecords else { return [] }
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
    // Counted apart, so that only the rows of the page are opened and joined.
    let count: SQL = "(SELECT count(*) FROM appointments WHERE \(condition))"
    let entries = try work.rows(
      """
      SELECT \(Booking.columns), \(count), \(Place.columns)
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

  /// Returns an appointment beside the tile of its day, with the time and the doctor in one line.
  /// The next one has buttons to move it and for the way there.
  func dated(in part: Agenda.Part, isNext: Bool, _ context: Context) throws -> HTML {
    let date = local(context).date
    let actions = isNext ? try nextSteps(context) : []
    let line = try self.line(on: date, context)
    var title: HTML = "<strong>\(line)</strong>"
    if !actions.isEmpty { title = "<strong><a href=\"\(path)\">\(line)</a></strong>" }
    var place: HTML?
    if case .booking(_, let one) = kind { place = one.clinic(context) }
    if case .walkIn(_, let one) = kind { place = one.clinic(context) }
    let content: HTML = """
      <span class="with-date">\(tile(context))<span>\(title)\
      \(badge(in: part, context).map { " \($0)" })\
      \(place.map { "<span class=\"secondary-text\">\($0)</span>" })</span></span>
      """
    if case .walkIn = kind { return .row(content: content) }
    return actions.isEmpty
      ? .row(to: path, content: content)
      : .row(content: content, actions: actions)
  }

  /// Returns the tile of the day.
  func tile(_ context: Context) -> HTML {
    BookingText.tile(of: local(context).date, today: today(context), isDated: true, context)
  }

  /// Returns “12:00 · Clara Marsh”. Screen readers hear the day before it, which the tile shows; a
  /// year that is not the current one stands there for everyone.
  private func line(on date: CalendarDate, _ context: Context) throws -> HTML {
    let isThisYear = date.year == context.today.year
    let day: HTML = """
      <span\(attribute: " class=\"hidden-text\"", if: isThisYear)>\(day(date, context)), </span>
      """
    switch kind {
    case .booking(_, let place), .walkIn(_, let place):
      return "\(try time(after: day, context)) · <bdi>\(try place.doctor.shown(context))</bdi>"
    case .personal(_, let location):
      return "\(try time(after: day, context)) · <bdi>\(location)</bdi>"
    }
  }

  /// Returns the buttons to move a booking, while the patient can, and for the way to the clinic.
  func nextSteps(_ context: Context) throws -> [HTML] {
    guard case .booking(let booking, let place) = kind else { return [] }
    let move: HTML? =
      try booking.canChange(context)
      ? context.button(
        "appointment.move", to: RescheduleForm.path(booking.id), style: [.secondary, .small]) : nil
    let way = place.coordinates.flatMap(OutsideLink.directions(to:)).map {
      context.button("next.directions", to: $0, style: [.secondary, .small])
    }
    return [move, way].compactMap(\.self)
  }

  /// Returns the child, if the doctor sees one, and the time.
  func title(_ context: Context) throws -> HTML {
    try time(after: "\(day(local(context).date, context)), ", context)
  }

  /// Returns the child, if the doctor sees one, “Today” or “Tomorrow”, and the time. Screen readers
  /// hear the date first, which the tile shows.
  func title(after nearness: Text, _ context: Context) throws -> HTML {
    let date = day(local(context).date, context)
    return try time(
      after: "<span class=\"hidden-text\">\(date), </span>\(context.text(nearness)), ", context)
  }

  /// Returns the child, if the doctor sees one, the day as it is given, and the time.
  private func time(after day: HTML, _ context: Context) throws -> HTML {
    let shown = local(context)
    switch kind {
    case .booking(let booking, _):
      let note: HTML? =
        BookingText.haveSameOffset(booking.zone, context.formats.timeZone, at: startsAt)
        ? nil : " <span class=\"muted\">(\(booking.zone.identifier))</span>"
      let child = try booking.details(by: context.keys).child.name
      let whom: HTML? = child.isEmpty ? nil : "<bdi>\(child)</bdi> · "
      let time = Slot(span: booking.span, zone: booking.zone)
      return "\(whom)\(day)\(BookingText.time(time, context))\(note)"
    case .personal, .walkIn: return "\(day)\(context.formats.time(shown))"
    }
  }

  /// Returns the start in the local time of the appointment.
  func local(_ context: Context) -> LocalDateTime {
    switch kind {
    case .booking(let booking, _): booking.local
    case .personal(let local, _): local ?? LocalDateTime(startsAt, in: context.formats.timeZone)
    case .walkIn(let local, _): local
    }
  }

  /// Returns the day, without the year if it is the current one.
  private func day(_ date: CalendarDate, _ context: Context) -> String {
    date.year == context.today.year
      ? BookingText.shortDay(date, context) : BookingText.day(date, context)
  }

  /// Returns the doctor and the clinic, or the location of an appointment elsewhere.
  func places(_ context: Context) throws -> [HTML] {
    switch kind {
    case .booking(_, let place), .walkIn(_, let place):
      ["<bdi>\(try place.doctor.shown(context))</bdi>", place.clinic(context)]
    case .personal(_, let location): ["<bdi>\(location)</bdi>"]
    }
  }

  /// Returns the badge of a row: today or tomorrow for an upcoming appointment, and the status,
  /// except that of an upcoming booking with the status booked, because the list implies it.
  private func badge(in part: Agenda.Part, _ context: Context) -> HTML? {
    if case .walkIn = kind { return context.badge("agenda.walk-in", .neutral) }
    let isToday = daysAhead(context) <= 0
    let near =
      part == .upcoming
      ? nearness(context).map { context.badge($0, isToday ? .now : .neutral) } : nil
    guard case .booking(let booking, _) = kind, part == .completed || booking.status != .booked
    else { return near }
    let status = AppointmentFacts.badge(booking, context)
    return near.map { "\($0) \(status)" } ?? status
  }

  /// Returns “Today” or “Tomorrow”, by the local time of the appointment; nil for any other day.
  func nearness(_ context: Context) -> Text? {
    switch daysAhead(context) {
    case ...0: "next.today"
    case 1: "next.tomorrow"
    default: nil
    }
  }

  /// Returns the number of days until the appointment, by its local time.
  func daysAhead(_ context: Context) -> Int {
    local(context).date.daysSince1970 - today(context).daysSince1970
  }

  /// Returns the present day at the place of the appointment.
  private func today(_ context: Context) -> CalendarDate {
    let zone =
      if case .booking(let booking, _) = kind { booking.zone } else { context.formats.timeZone }
    return LocalDateTime(context.now, in: zone).date
  }
}
