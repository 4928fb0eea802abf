import PolyclinicCore

/// What a calendar reads at a secret address.
struct CalendarFeed: Sendable {
  let whose: Whose
  let detail: AppointmentEvents.Detail

  /// Whose appointments it has.
  enum Whose: String, CaseIterable, Sendable {
    /// Those that its owner has as a patient.
    case patient
    /// Those that others have with its owner.
    case doctor
  }

  /// How far back it reaches: calendars drop what a feed no longer has.
  private static let past = Seconds.days(90)
  /// The most that it has: what is to come, the soonest first, and then what is over, the latest first.
  private static let most = 1_000

  init(_ whose: Whose, _ detail: AppointmentEvents.Detail) {
    self.whose = whose
    self.detail = detail
  }

  /// Nil for the word of a later release.
  init?(purpose: String) {
    let words = purpose.split(separator: " ").map(String.init)
    guard words.count == 2, let whose = Whose(rawValue: words[0]),
      let detail = AppointmentEvents.Detail(rawValue: words[1])
    else { return nil }
    self.init(whose, detail)
  }

  /// The key that it is stored under.
  var purpose: String { "\(whose.rawValue) \(detail.rawValue)" }

  /// The feed as it stands now; throws ``Refusal/notFound`` where its owner is no doctor any more.
  func file(by keys: Keys, _ portal: Portal, on connection: Connection) throws -> CalendarFile {
    let language =
      try portal.people.language(of: keys.person, on: connection) ?? portal.clinic.defaultLanguage
    let events = AppointmentEvents(portal: portal, language: language, detail: detail)
    let written =
      switch whose {
      case .patient: try own(by: keys, events, on: connection)
      case .doctor: try ofPatients(of: keys.person, events, on: connection)
      }
    return CalendarFile(
      title: portal.clinic.name, Self.kept(of: written, at: portal.now), refresh: .hours(1))
  }

  /// Those that it has, in the order in which they begin.
  private static func kept(of events: [CalendarEvent], at now: Instant) -> [CalendarEvent] {
    let sorted = events.sorted { $0.span.lowerBound < $1.span.lowerBound }
    let coming = sorted.filter { $0.span.lowerBound >= now }.prefix(most)
    return sorted.filter { $0.span.lowerBound < now }.suffix(most - coming.count) + coming
  }

  private func own(
    by keys: Keys, _ events: AppointmentEvents, on connection: Connection
  ) throws -> [CalendarEvent] {
    let now = events.portal.now
    let bookings = try Self.bookings(
      where: "appointments.person = \(keys.person) AND doctor IS NOT NULL", at: now,
      on: connection)
    let personal = try Self.personal(by: keys, at: now, on: connection)
    return try Self.events(of: bookings, on: connection, events.event(of:in:))
      + personal.map(events.event(of:))
  }

  /// The appointments elsewhere, as many as it has at most: the index lists them as they begin.
  private static func personal(
    by keys: Keys, at now: Instant, on connection: Connection
  ) throws -> [PersonalAppointment.Entry] {
    var over: [PersonalAppointment.Entry] = []
    var coming: [PersonalAppointment.Entry] = []
    try PersonalAppointment.index.prefix(by: keys, on: connection) { entry in
      if entry.startsAt >= now {
        coming.append(entry)
      } else if entry.startsAt > now - past {
        over.append(entry)
        if over.count >= 2 * most { over.removeFirst(most) }
      }
      return coming.count < most
    }
    return over + coming
  }

  private func ofPatients(
    of person: ID<Person>, _ events: AppointmentEvents, on connection: Connection
  ) throws -> [CalendarEvent] {
    guard try events.portal.people.acts(person, as: .doctor, on: connection) else {
      throw Refusal.notFound
    }
    guard let doctor = try Doctor.of(person, on: connection) else { return [] }
    let bookings = try Self.bookings(
      where: "doctor = \(doctor.id)", at: events.portal.now, on: connection)
    return try Self.events(of: bookings, on: connection, events.event(ofPatientIn:in:))
  }

  /// As many as it has at most. Each half is read by an index, the past from its end: the oldest are never
  /// looked at.
  private static func bookings(
    where condition: SQL, at now: Instant, on connection: Connection
  ) throws -> [Booking] {
    let coming = try connection.rows(
      """
      SELECT \(Booking.columns) FROM appointments WHERE \(condition) AND starts_at >= \(now)
      ORDER BY starts_at, id_appointment LIMIT \(most)
      """, Booking.init)
    let over = try connection.rows(
      """
      SELECT \(Booking.columns) FROM appointments
      WHERE \(condition) AND starts_at > \(now - past) AND starts_at < \(now)
      ORDER BY starts_at DESC, id_appointment DESC LIMIT \(most - coming.count)
      """, Booking.init)
    return coming + over
  }

  /// Each practice is looked up once, however many bookings it has.
  private static func events(
    of bookings: [Booking], on connection: Connection,
    _ event: (Booking, Practice) throws -> CalendarEvent
  ) throws -> [CalendarEvent] {
    var practices: [ID<Doctor>: Practice] = [:]
    return try bookings.compactMap { booking in
      if practices[booking.doctor] == nil {
        practices[booking.doctor] = try Practice.find(booking.doctor, on: connection)
      }
      return try practices[booking.doctor].map { try event(booking, $0) }
    }
  }
}
