import PolyclinicCore

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
      case booking(Booking, doctor: DoctorName, Specialization?, clinic: LocalizedText)
      case personal(LocalDateTime?, location: String)
      /// A visit after waiting on a doctor's list, at the time of the call.
      case walkIn(LocalDateTime, doctor: DoctorName, Specialization?, clinic: LocalizedText)
    }
  }
}

extension Agenda {
  /// Returns one page of a part: upcoming appointments with the soonest first, completed ones with
  /// the latest first.
  static func find(
    _ part: Part, page number: Int, in work: Work
  ) throws -> Agenda {
    let personal = try personal(part, in: work)
    let booked = try count(part, of: work.keys.person, in: work)
    let walkedIn = part == .upcoming ? 0 : try walkInCount(of: work.keys.person, in: work)
    let pagination = Page.Pagination(page: number, total: booked + walkedIn + personal.count)
    let limit = pagination.range.upperBound
    let bookings = try bookings(part, of: work.keys.person, limit: limit, in: work)
    let walkIns = walkedIn == 0 ? [] : try walkIns(of: work.keys.person, limit: limit, in: work)
    let all = (personal + bookings + walkIns).sorted { one, other in
      part == .upcoming
        ? (one.startsAt, one.id) < (other.startsAt, other.id)
        : (one.startsAt, one.id) > (other.startsAt, other.id)
    }
    let shown = all.dropFirst(pagination.range.lowerBound).prefix(Page.Pagination.size)
    return Agenda(entries: Array(shown), pagination: pagination)
  }

  private static func personal(
    _ part: Part, in work: Work
  ) throws -> [Entry] {
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

  private static func condition(_ part: Part, at now: Instant) -> SQL {
    part == .upcoming
      ? "\(Appointment.Status.open) AND ends_at > \(now)"
      : "(NOT \(Appointment.Status.open) OR ends_at <= \(now))"
  }

  private static func count(
    _ part: Part, of person: ID<Person>, in work: Work
  ) throws -> Int {
    try work.integer(
      """
      SELECT count(*) FROM appointments
      WHERE person = \(person) AND doctor IS NOT NULL AND \(condition(part, at: work.now))
      """) ?? 0
  }

  private static func bookings(
    _ part: Part, of person: ID<Person>, limit: Int, in work: Work
  ) throws -> [Entry] {
    let order: SQL =
      part == .upcoming ? "starts_at, id_appointment" : "starts_at DESC, id_appointment DESC"
    return try work.rows(
      """
      SELECT \(Booking.columns), \(DoctorName.columns), specialization, name_en, name_ru, name_he
      FROM appointments
      JOIN appointments_doctors AS doctors ON id_doctor = appointments.doctor
      JOIN appointments_departments ON id_department = department
      JOIN appointments_clinics ON id_clinic = clinic
      WHERE appointments.person = \(person) AND \(condition(part, at: work.now))
      ORDER BY \(order) LIMIT \(limit)
      """
    ) { row in
      let booking = try Booking(row)
      let name = row.from(Booking.columnCount)
      let place = name.from(DoctorName.columnCount)
      return Entry(
        id: booking.id.rawValue, startsAt: booking.span.lowerBound,
        kind: .booking(
          booking, doctor: DoctorName(name), Specialization(rawValue: place.string(0)),
          clinic: clinic(place.from(1))))
    }
  }

  private static func walkInCount(of person: ID<Person>, in work: Work) throws -> Int {
    try work.integer(
      "SELECT count(*) FROM appointments_tickets WHERE person = \(person) AND \(Ticket.visited)")
      ?? 0
  }

  private static func walkIns(
    of person: ID<Person>, limit: Int, in work: Work
  ) throws -> [Entry] {
    try work.rows(
      """
      SELECT id_ticket, appointments_tickets.called_at, time_zone, \(DoctorName.columns),
        specialization, name_en, name_ru, name_he
      FROM appointments_tickets JOIN appointments_sessions ON id_session = session
      JOIN appointments_doctors AS doctors ON id_doctor = appointments_sessions.doctor
      JOIN appointments_departments ON id_department = department
      JOIN appointments_clinics ON id_clinic = clinic
      WHERE appointments_tickets.person = \(person) AND \(Ticket.visited)
      ORDER BY appointments_tickets.called_at DESC, id_ticket DESC LIMIT \(limit)
      """
    ) { row in
      let id: ID<Ticket> = row.id(0)
      let calledAt = row.instant(1)
      let name = row.from(3)
      let place = name.from(DoctorName.columnCount)
      return Entry(
        id: id.rawValue, startsAt: calledAt,
        kind: .walkIn(
          LocalDateTime(calledAt, in: Zone(row.string(2)) ?? .utc), doctor: DoctorName(name),
          Specialization(rawValue: place.string(0)), clinic: clinic(place.from(1))))
    }
  }

  /// Reads the names of a clinic.
  private static func clinic(_ row: Row) -> LocalizedText {
    LocalizedText(english: row.string(0), russian: row.string(1), hebrew: row.string(2))
  }
}
