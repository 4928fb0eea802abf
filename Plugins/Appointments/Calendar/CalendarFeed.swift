import PolyclinicCore
import PolyclinicFormats

/// A calendar feed at a secret address.
struct CalendarFeed: Sendable {
  let ownerRole: OwnerRole
  let detail: CalendarEvents.Detail

  /// The role of the feed's owner in its appointments.
  enum OwnerRole: String, CaseIterable, Sendable {
    /// The owner's own appointments as a patient.
    case patient
    /// The appointments of patients with the owner as their doctor.
    case doctor
  }

  /// The period of past appointments in the feed. Calendars delete events that a feed no longer has.
  private static let past = Seconds.days(90)
  /// The maximum number of events. If there are more, the feed drops the oldest past events first, then the latest
  /// upcoming ones.
  private static let most = 1_000

  init(_ ownerRole: OwnerRole, _ detail: CalendarEvents.Detail) {
    self.ownerRole = ownerRole
    self.detail = detail
  }

  /// Returns nil for a purpose of a later release.
  init?(purpose: String) {
    let words = purpose.split(separator: " ").map(String.init)
    guard words.count == 2, let ownerRole = OwnerRole(rawValue: words[0]),
      let detail = CalendarEvents.Detail(rawValue: words[1])
    else { return nil }
    self.init(ownerRole, detail)
  }

  /// The purpose under which the secret address is stored.
  var purpose: String { "\(ownerRole.rawValue) \(detail.rawValue)" }

  /// Returns the current feed. Throws ``Refusal/notFound`` for a doctor's feed if its owner is no longer a doctor.
  func file(by keys: Keys, _ portal: Portal, on connection: Connection) throws -> CalendarFile {
    let language =
      try portal.people.language(of: keys.person, on: connection) ?? portal.clinic.defaultLanguage
    let events = CalendarEvents(portal: portal, language: language, detail: detail)
    let written =
      switch ownerRole {
      case .patient: try own(by: keys, events, on: connection)
      case .doctor: try ofPatients(of: keys.person, events, on: connection)
      }
    return CalendarFile(
      title: portal.clinic.name, Self.limited(of: written, at: portal.now), refresh: .hours(1))
  }

  /// Returns the events up to the maximum, in the order of their start.
  private static func limited(of events: [CalendarEvent], at now: Instant) -> [CalendarEvent] {
    let sorted = events.sorted { $0.span.lowerBound < $1.span.lowerBound }
    let coming = sorted.filter { $0.span.lowerBound >= now }.prefix(most)
    return sorted.filter { $0.span.lowerBound < now }.suffix(most - coming.count) + coming
  }

  private func own(
    by keys: Keys, _ events: CalendarEvents, on connection: Connection
  ) throws -> [CalendarEvent] {
    let now = events.portal.now
    let bookings = try Self.bookings(
      where: "appointments.person = \(keys.person) AND doctor IS NOT NULL", at: now,
      on: connection)
    let personal = try Self.personal(by: keys, at: now, on: connection)
    return try Self.events(of: bookings, on: connection, events.event(of:in:))
      + personal.map(events.event(of:))
  }

  /// Returns the appointments elsewhere, up to the maximum. The index lists them in the order of their start.
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
    of person: ID<Person>, _ events: CalendarEvents, on connection: Connection
  ) throws -> [CalendarEvent] {
    guard try events.portal.people.acts(person, as: .doctor, on: connection) else {
      throw Refusal.notFound
    }
    guard let doctor = try Doctor.of(person, on: connection) else { return [] }
    let bookings = try Self.bookings(
      where: "doctor = \(doctor.id)", at: events.portal.now, on: connection)
    return try Self.events(of: bookings, on: connection, events.event(ofPatientIn:in:))
  }

  /// Returns the bookings, up to the maximum. An index serves each half, the past from its end, so that the oldest
  /// rows are never read.
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

  /// Converts bookings to events. Loads each placement once, however many bookings it has.
  private static func events(
    of bookings: [Booking], on connection: Connection,
    _ event: (Booking, DoctorPlacement) throws -> CalendarEvent
  ) throws -> [CalendarEvent] {
    var placements: [ID<Doctor>: DoctorPlacement] = [:]
    return try bookings.compactMap { booking in
      if placements[booking.doctor] == nil {
        placements[booking.doctor] = try DoctorPlacement.find(booking.doctor, on: connection)
      }
      return try placements[booking.doctor].map { try event(booking, $0) }
    }
  }
}
