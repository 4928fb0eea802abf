import PolyclinicCore
import PolyclinicFormats

/// The file of one appointment for another calendar.
enum AppointmentFile {
  /// Returns one of the visitor's own appointments as a file.
  static func download(_ context: Context) throws -> Response {
    let keys = try context.keys
    let events = CalendarEvents(
      portal: context.portal, language: context.language, detail: .full)
    let (event, day) = try context.database.read { connection in
      let id: ID<Appointment> = try context.id()
      if let booking = try Booking.find(id, of: keys.person, on: connection),
        let placement = try DoctorPlacement.find(booking.doctor, on: connection)
      {
        return (try events.event(of: booking, in: placement), booking.local.date)
      }
      let personal = try PersonalAppointment.records.load(context)
      let event = events.event(of: PersonalAppointment.Entry(personal, id: try context.id()))
      return (event, personal.date ?? context.today)
    }
    return .download(
      CalendarFile([event]).bytes(at: context.now), type: CalendarFile.mediaType,
      as: "appointment-\(day).ics")
  }
}
