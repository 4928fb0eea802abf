import PolyclinicCore

/// Appointments as other calendars are told of them.
struct AppointmentEvents {
  let portal: Portal
  /// The language of the calendar's owner.
  let language: Language
  let detail: Detail

  /// How much of an appointment leaves the portal. The purpose never does: calendars are read by
  /// services, and over shoulders.
  enum Detail: String, Sendable {
    /// With whom and where.
    case full
    /// That there is one, and when.
    case brief
  }

  /// When one is reminded, where the calendar takes that over.
  private static let reminders = [Seconds.days(1), .hours(2)]

  /// A patient's booking.
  func event(of booking: Booking, in practice: Practice) throws -> CalendarEvent {
    var event = event(
      booking.id.rawValue, booking.span,
      try detail == .brief ? text("calendar.event") : summary(of: practice))
    event.sequence = booking.sequence
    event.status = booking.status == .cancelled ? .cancelled : .confirmed
    event.reminders = Self.reminders
    if detail == .full { locate(&event, at: practice.clinic) }
    return event
  }

  /// A patient's appointment elsewhere; how long it takes is not known.
  func event(of entry: PersonalAppointment.Entry) -> CalendarEvent {
    var event = event(
      entry.id.rawValue, entry.startsAt..<entry.startsAt, text("calendar.event"))
    event.sequence = entry.sequence
    // One that was entered after it took place must not ring.
    if entry.startsAt > portal.now { event.reminders = Self.reminders }
    if detail == .full { event.location = entry.location }
    return event
  }

  /// A doctor's booking: who comes is not said, since a feed asks nobody for the patients' keys.
  func event(ofPatientIn booking: Booking, in practice: Practice) -> CalendarEvent {
    var event = event(booking.id.rawValue, booking.span, text("calendar.patient"))
    event.sequence = booking.sequence
    event.status = booking.status == .cancelled ? .cancelled : .confirmed
    if detail == .full { locate(&event, at: practice.clinic) }
    return event
  }

  private func event(_ id: Int64, _ span: Range<Instant>, _ summary: String) -> CalendarEvent {
    CalendarEvent(id: "appointment-\(id)@\(portal.origin.host)", span, summary: summary)
  }

  private func summary(of practice: Practice) throws -> String {
    let specialization = portal.string(practice.department.specialization.title, in: language)
    return "\(specialization), \(try practice.doctor.name.opened(by: portal.keys))"
  }

  private func locate(_ event: inout CalendarEvent, at clinic: Clinic) {
    let name = clinic.name.string(in: language)
    let lines = clinic.address.lines(in: language)
    event.location = ([name] + lines).filter { !$0.isEmpty }.joined(separator: ", ")
    event.coordinates = clinic.coordinates
  }

  private func text(_ key: Text) -> String { portal.string(key, in: language) }
}
