import PolyclinicCore
import PolyclinicFormats

/// Converts appointments to events for other calendars.
struct CalendarEvents {
  let portal: Portal
  /// The language of the calendar's owner.
  let language: Language
  let detail: Detail
  /// The name of the person whose appointments they are, for a guardian's calendar; nil for the
  /// person's own.
  var person: String?

  /// The amount of detail that leaves the portal. The purpose never does, because calendar services
  /// and people nearby can read a calendar.
  enum Detail: String, Sendable {
    /// The specialization, the doctor and the place, and the name of a person in care.
    case full
    /// The time only.
    case brief
  }

  /// The times of reminders before an appointment, for calendars that support them.
  fileprivate static let reminders = [Seconds.days(1), .hours(2)]

  /// Returns the event of a patient's booking.
  func event(of booking: Booking, in placement: DoctorPlacement) throws -> CalendarEvent {
    let summary = try detail == .brief ? text("calendar.event") : summary(of: placement)
    var event = event(of: booking, in: placement, summary)
    event.reminders = Self.reminders
    return event
  }

  /// Returns the event of a patient's appointment elsewhere. It has no duration, because that is
  /// unknown.
  func event(of entry: PersonalAppointment.Entry) -> CalendarEvent {
    var event = event(
      entry.id.rawValue, entry.startsAt..<entry.startsAt,
      detail == .full ? named(text("calendar.event")) : text("calendar.event"))
    event.sequence = entry.sequence
    // An appointment that was entered after it took place must not trigger a reminder.
    if entry.startsAt > portal.now { event.reminders = Self.reminders }
    if detail == .full { event.location = entry.location }
    return event
  }

  /// Returns the event of a doctor's booking. It does not name the patient, because a feed has no
  /// access to the patients' keys.
  func event(ofPatientIn booking: Booking, in placement: DoctorPlacement) -> CalendarEvent {
    event(of: booking, in: placement, text("calendar.patient"))
  }

  private func event(
    of booking: Booking, in placement: DoctorPlacement, _ summary: String
  ) -> CalendarEvent {
    var event = event(booking.id.rawValue, booking.span, summary)
    event.sequence = booking.sequence
    event.status = booking.status == .cancelled ? .cancelled : .confirmed
    if detail == .full { locate(&event, at: placement.clinic) }
    return event
  }

  private func event(_ id: Int64, _ span: Range<Instant>, _ summary: String) -> CalendarEvent {
    CalendarEvent(id: Self.id(id, portal), span, summary: summary)
  }

  /// Returns the permanent identifier of an appointment's event in files, feeds and e-mails.
  fileprivate static func id(_ id: Int64, _ portal: Portal) -> String {
    "appointment-\(id)@\(portal.origin.host)"
  }

  private func summary(of placement: DoctorPlacement) throws -> String {
    let specialization = portal.string(placement.department.specialization.title, in: language)
    return named(
      "\(specialization), \(try placement.doctor.name.opened(by: portal.keys, in: language))")
  }

  /// Returns the summary behind the name of the person in care.
  private func named(_ summary: String) -> String {
    person.map { "\($0): \(summary)" } ?? summary
  }

  private func locate(_ event: inout CalendarEvent, at clinic: Clinic) {
    let name = clinic.name.string(in: language)
    let lines = clinic.address(in: language).lines(in: language)
    event.location = ([name] + lines).filter { !$0.isEmpty }.joined(separator: ", ")
    event.coordinates = clinic.coordinates
  }

  private func text(_ key: Text) -> String { portal.string(key, in: language) }
}

extension Booking {
  /// Returns the event of an e-mail. It has no doctor, specialization or place, because an e-mail
  /// must say nothing of an illness.
  func mailedEvent(_ portal: Portal) -> Notice.Event {
    var event = Notice.Event(
      id: CalendarEvents.id(id.rawValue, portal), span, summary: "calendar.event",
      sequence: sequence)
    event.isCancelled = status == .cancelled
    event.reminders = CalendarEvents.reminders
    return event
  }
}

extension Context {
  /// Returns a link that downloads one appointment as a file.
  func calendarFileLink(
    of appointment: ID<Appointment>, style: HTML.ButtonStyle = .secondary
  ) -> HTML {
    button("calendar.file", to: Appointment.file.path(appointment), style: style)
  }
}
