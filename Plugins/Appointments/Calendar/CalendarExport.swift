import PolyclinicCore

/// A person's appointments as one iCalendar file in the copy of their data.
enum CalendarExport {
  /// Finds the file; none for somebody without appointments, since a calendar has to have one (RFC 5545, 3.4).
  @Sendable
  static func files(_ keys: Keys, _ connection: Connection) throws -> [ExportFile] {
    let any = try connection.integer(
      "SELECT 1 FROM appointments WHERE person = \(keys.person) AND deleted_at IS NULL LIMIT 1")
    return any == nil ? [] : [ExportFile("appointments.ics", asking: write)]
  }

  /// Writes all of them, past and cancelled ones too, under the names that the feeds use.
  @Sendable
  private static func write(
    _ portal: Portal, by keys: Keys, on connection: Connection, to sink: ByteSink
  ) throws {
    let language =
      try portal.people.language(of: keys.person, on: connection) ?? portal.clinic.defaultLanguage
    let events = AppointmentEvents(portal: portal, language: language, detail: .full)
    try CalendarFile.write(to: sink, at: portal.now) { append in
      var practices: [ID<Doctor>: Practice] = [:]
      try connection.forEach(
        """
        SELECT \(Booking.columns) FROM appointments
        WHERE appointments.person = \(keys.person) AND doctor IS NOT NULL ORDER BY id_appointment
        """
      ) { row in
        let booking = try Booking(row)
        let known = try practices[booking.doctor] ?? Practice.find(booking.doctor, on: connection)
        guard let practice = known else { return }
        practices[booking.doctor] = practice
        try append(events.event(of: booking, in: practice))
      }
      try PersonalAppointment.index.forEach(by: keys, on: connection) {
        try append(events.event(of: $0))
      }
    }
  }
}
