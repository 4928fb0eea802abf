import PolyclinicCore
import PolyclinicFormats

/// A calendar feed at a secret address.
struct CalendarFeed: Sendable {
  static let address: Address<String> = "/appointments/calendar/{token}.ics"

  let ownerRole: OwnerRole
  let detail: CalendarEvents.Detail

  /// The role of the feed's owner in its appointments.
  enum OwnerRole: String, CaseIterable, Sendable {
    /// The owner's own appointments as a patient.
    case patient
    /// The appointments of patients with the owner as their doctor.
    case doctor
  }

  /// The period of past appointments in the feed. Calendars delete events that a feed no longer
  /// has.
  private static let past = Seconds.days(90)
  /// The maximum number of events. If there are more, the feed drops the oldest past events first,
  /// then the latest upcoming ones.
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

  /// Returns a feed to any client that knows its address. The request has no visitor, and uses only
  /// the keys of the feed's owner.
  static func download(_ context: Context) throws -> Response {
    let secret = context.request.parameters["token"] ?? ""
    let opened = try context.portal.secretAddresses.open(secret, in: context)
    guard let opened, let feed = CalendarFeed(purpose: opened.purpose) else {
      throw Refusal.notFound
    }
    let file = try feed.file(context.portal, in: opened.work)
    return Response(200, .bytes(file.bytes(at: context.now), type: CalendarFile.mediaType))
  }

  /// Returns the current feed. Throws ``Refusal/notFound`` for a doctor's feed if its owner is no
  /// longer a doctor.
  func file(_ portal: Portal, in work: Work) throws -> CalendarFile {
    let language =
      try portal.people.language(of: work.keys.person, in: work) ?? portal.clinic.defaultLanguage
    let events = CalendarEvents(portal: portal, language: language, detail: detail)
    let written =
      switch ownerRole {
      case .patient: try own(events, in: work)
      case .doctor: try ofPatients(events, in: work)
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

  private func own(_ events: CalendarEvents, in work: Work) throws -> [CalendarEvent] {
    let bookings = try Self.bookings(
      where: "appointments.person = \(work.keys.person) AND doctor IS NOT NULL", in: work)
    let personal = try Self.personal(in: work)
    return try Self.events(of: bookings, in: work, events.event(of:in:))
      + personal.map(events.event(of:))
  }

  /// Returns the appointments elsewhere, up to the maximum. The index lists them in the order of
  /// their start.
  private static func personal(in work: Work) throws -> [PersonalAppointment.Entry] {
    var over: [PersonalAppointment.Entry] = []
    var coming: [PersonalAppointment.Entry] = []
    try PersonalAppointment.index.prefix(in: work) { entry in
      if entry.startsAt >= work.now {
        coming.append(entry)
      } else if entry.startsAt > work.now - past {
        over.append(entry)
        if over.count >= 2 * most { over.removeFirst(most) }
      }
      return coming.count < most
    }
    return over + coming
  }

  private func ofPatients(_ events: CalendarEvents, in work: Work) throws -> [CalendarEvent] {
    let person = try work.keys.person
    guard try events.portal.people.acts(person, as: .doctor, in: work) else {
      throw Refusal.notFound
    }
    guard let doctor = try Doctor.of(person, in: work) else { return [] }
    let bookings = try Self.bookings(where: "doctor = \(doctor.id)", in: work)
    return try Self.events(of: bookings, in: work, events.event(ofPatientIn:in:))
  }

  /// Returns the bookings, up to the maximum. An index serves each half, the past from its end, so
  /// that the oldest rows are never read.
  private static func bookings(where condition: SQL, in work: Work) throws -> [Booking] {
    let coming = try Booking.all(
      where: """
        \(condition) AND starts_at >= \(work.now)
        ORDER BY starts_at, id_appointment LIMIT \(most)
        """, in: work)
    let over = try Booking.all(
      where: """
        \(condition) AND starts_at > \(work.now - past) AND starts_at < \(work.now)
        ORDER BY starts_at DESC, id_appointment DESC LIMIT \(most - coming.count)
        """, in: work)
    return coming + over
  }

  /// Converts bookings to events.
  private static func events(
    of bookings: [Booking], in work: Work,
    _ event: (Booking, DoctorPlacement) throws -> CalendarEvent
  ) throws -> [CalendarEvent] {
    let placements = try DoctorPlacement.all(of: Set(bookings.map(\.doctor)), in: work)
    return try bookings.compactMap { booking in
      try placements[booking.doctor].map { try event(booking, $0) }
    }
  }
}
