import PolyclinicCore
import PolyclinicFormats

/// The file of one appointment for another calendar, and that of all of them in the export of a
/// person's data.
extension Appointment {
  static let file: Address<ID<Appointment>> = "/appointments/{id}.ics"

  /// Returns one of the visitor's own appointments as a file.
  static func download(_ context: Context) throws -> Response {
    let events = CalendarEvents(
      portal: context.portal, language: context.language, detail: .full,
      person: try context.nameInCare)
    let (event, day) = try found(events, context)
    return .download(
      CalendarFile([event]).bytes(at: context.now), type: CalendarFile.mediaType,
      as: "appointment-\(day).ics")
  }

  private static func found(
    _ events: CalendarEvents, _ context: Context
  ) throws -> (CalendarEvent, CalendarDate) {
    let id: ID<Appointment> = try context.id()
    if let booking = try Booking.find(id, of: context.keys.person, in: context),
      let placement = try DoctorPlacement.find(booking.doctor, in: context)
    {
      return (try events.event(of: booking, in: placement), booking.local.date)
    }
    let personal = try PersonalAppointment.load(context)
    let event = events.event(of: PersonalAppointment.Entry(personal, id: try context.id()))
    return (event, personal.date ?? context.today)
  }

  /// Returns a person's appointments as one file in the export of their data; none if the person
  /// has no appointments, because a calendar file must contain a component (RFC 5545, 3.4).
  static func files(_ work: Work) throws -> [ExportFile] {
    let any = try work.integer(
      "SELECT 1 FROM appointments WHERE person = \(work.keys.person) AND deleted_at IS NULL LIMIT 1"
    )
    return any == nil ? [] : [ExportFile("appointments.ics", asking: write)]
  }

  /// Writes all appointments, including past and cancelled ones, with the event IDs that the feeds
  /// use.
  private static func write(_ portal: Portal, in work: Work, to sink: ByteSink) throws {
    let language =
      try portal.people.language(of: work.keys.person, in: work) ?? portal.clinic.defaultLanguage
    let events = CalendarEvents(portal: portal, language: language, detail: .full)
    try CalendarFile.write(to: sink, at: portal.now) { append in
      try Booking.forEach(in: work) { booking, placement in
        if let placement { try append(events.event(of: booking, in: placement)) }
      }
      try PersonalAppointment.index.forEach(in: work) { try append(events.event(of: $0)) }
    }
  }
}
