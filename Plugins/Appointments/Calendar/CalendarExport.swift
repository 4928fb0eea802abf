import PolyclinicCore
import PolyclinicFormats

/// A person's appointments as one iCalendar file in the export of their data.
enum CalendarExport {
  /// Returns the file; none if the person has no appointments, because a calendar file must contain
  /// a component (RFC 5545, 3.4).
  @Sendable
  static func files(_ work: Work) throws -> [ExportFile] {
    let any = try work.integer(
      "SELECT 1 FROM appointments WHERE person = \(work.keys.person) AND deleted_at IS NULL LIMIT 1"
    )
    return any == nil ? [] : [ExportFile("appointments.ics", asking: write)]
  }

  /// Writes all appointments, including past and cancelled ones, with the event IDs that the feeds
  /// use.
  @Sendable
  private static func write(
    _ portal: Portal, in work: Work, to sink: ByteSink
  ) throws {
    let language =
      try portal.people.language(of: work.keys.person, in: work) ?? portal.clinic.defaultLanguage
    let events = CalendarEvents(portal: portal, language: language, detail: .full)
    try CalendarFile.write(to: sink, at: portal.now) { append in
      var placements: [ID<Doctor>: DoctorPlacement] = [:]
      try work.forEach(
        """
        SELECT \(Booking.columns) FROM appointments
        WHERE appointments.person = \(work.keys.person) AND doctor IS NOT NULL ORDER BY id_appointment
        """
      ) { row in
        let booking = try Booking(row)
        let known =
          try placements[booking.doctor] ?? DoctorPlacement.find(booking.doctor, in: work)
        guard let placement = known else { return }
        placements[booking.doctor] = placement
        try append(events.event(of: booking, in: placement))
      }
      try PersonalAppointment.index.forEach(in: work) {
        try append(events.event(of: $0))
      }
    }
  }
}
