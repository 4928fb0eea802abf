import PolyclinicCore

/// A person's copy of everything about appointments.
enum AppointmentExport {
  /// Writes bookings with their history, personal appointments, and the doctors for whose earlier times
  /// the person waits.
  @Sendable
  static func export(
    by keys: Keys, on connection: Connection, to copy: JSONWriter
  ) throws {
    try copy.writeArray("bookings") { try writeBookings(to: $0, by: keys, on: connection) }
    try copy.writeArray("personal") { personal in
      try PersonalAppointment.records.exportElements(asMoment)(keys, connection, personal)
    }
    try copy.writeArray("waiting_for_earlier_times") { doctors in
      try connection.forEach(
        """
        SELECT \(DoctorName.columns)
        FROM appointments_wishes JOIN appointments_doctors ON id_doctor = doctor
        WHERE appointments_wishes.person = \(keys.person) ORDER BY id_wish
        """
      ) { try doctors.append(.string(DoctorName($0).opened(by: keys))) }
    }
  }

  /// The time as RFC 3339 has it, in place of what the form keeps: a clock's time and its zone.
  @Sendable
  private static func asMoment(
    _ fields: [JSON.Member], _ appointment: PersonalAppointment
  ) -> [JSON.Member] {
    let zone = Zone(appointment.zone) ?? .utc
    let start = appointment.startsAt.map { JSON.string(ZonedTime($0, in: zone).description) }
    return [
      JSON.Member("starts_at", start ?? .null),
      JSON.Member("time_zone", .string(zone.identifier)),
    ] + fields.filter { !["date", "time", "zone"].contains($0.name) }
  }

  private static func writeBookings(
    to bookings: JSONWriter, by keys: Keys, on connection: Connection
  ) throws {
    var practices: [ID<Doctor>: Practice] = [:]
    try connection.forEach(
      """
      SELECT \(Booking.columns) FROM appointments
      WHERE appointments.person = \(keys.person) AND doctor IS NOT NULL ORDER BY id_appointment
      """
    ) { row in
      let booking = try Booking(row)
      let doctor = booking.doctor
      if practices[doctor] == nil {
        practices[doctor] = try Practice.find(doctor, on: connection)
      }
      try bookings.append(json(booking, at: practices[doctor], by: keys, on: connection))
    }
  }

  private static func json(
    _ booking: Booking, at practice: Practice?, by keys: Keys, on connection: Connection
  ) throws -> JSON {
    let history = try AppointmentEvent.all(of: booking.id, by: keys, on: connection).map { event in
      JSON.object([
        JSON.Member("at", .string(ZonedTime(event.at, in: .utc).description)),
        JSON.Member("status", .string(event.status.rawValue)),
        JSON.Member("starts_at", .string(ZonedTime(event.startsAt, in: booking.zone).description)),
        JSON.Member("by", .string(event.role.rawValue)),
        JSON.Member("name", .string(event.note.name)),
        JSON.Member("reason", .string(event.note.reason)),
      ])
    }
    return .object([
      JSON.Member("id", .integer(booking.id.rawValue)),
      JSON.Member("status", .string(booking.status.rawValue)),
      JSON.Member(
        "starts_at", .string(ZonedTime(booking.span.lowerBound, in: booking.zone).description)),
      JSON.Member(
        "ends_at", .string(ZonedTime(booking.span.upperBound, in: booking.zone).description)),
      JSON.Member("time_zone", .string(booking.zone.identifier)),
      JSON.Member("doctor", .string(try practice?.doctor.name.opened(by: keys) ?? "")),
      JSON.Member("specialization", .string(practice?.department.specialization.rawValue ?? "")),
      JSON.Member("clinic", .string(practice?.clinic.name.string(in: .english) ?? "")),
      JSON.Member("purpose", .string(try booking.details(by: keys).purpose)),
      JSON.Member("history", .array(history)),
    ])
  }
}
