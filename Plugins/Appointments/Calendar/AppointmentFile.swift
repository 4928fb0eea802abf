import PolyclinicCore
import PolyclinicFormats

/// The file of one appointment for another calendar.
enum AppointmentFile {
  /// Returns one of the visitor's own appointments as a file.
  static func download(_ context: Context) throws -> Response {
    let events = CalendarEvents(
      portal: context.portal, language: context.language, detail: .full)
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
    let personal = try PersonalAppointment.records.load(context)
    let event = events.event(of: PersonalAppointment.Entry(personal, id: try context.id()))
    return (event, personal.date ?? context.today)
  }
}
