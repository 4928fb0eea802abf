import PolyclinicCore

/// A person's copy of everything about appointments.
enum AppointmentExport {
  /// Bookings with their history, personal appointments, and for whose earlier times one waits.
  @Sendable
  static func export(by keys: Keys, on connection: Connection) throws -> JSON {
    let bookings = try connection.rows(
      """
      SELECT \(Booking.columns) FROM appointments
      WHERE appointments.person = \(keys.person) AND doctor IS NOT NULL ORDER BY id_appointment
      """, Booking.init)
    var practices: [ID<Doctor>: Practice] = [:]
    for doctor in Set(bookings.map(\.doctor)) {
      practices[doctor] = try Practice.find(doctor, on: connection)
    }
    let wishes = try connection.rows(
      """
      SELECT name FROM appointments_wishes JOIN appointments_doctors ON id_doctor = doctor
      WHERE appointments_wishes.person = \(keys.person) ORDER BY id_wish
      """
    ) { JSON.string($0.string(0)) }
    return .object([
      JSON.Member(
        "bookings",
        .array(
          try bookings.map {
            try json($0, at: practices[$0.doctor], by: keys, on: connection)
          })),
      JSON.Member("personal", try personal(by: keys, on: connection)),
      JSON.Member("waiting_for_earlier_times", .array(wishes)),
    ])
  }

  private static func personal(by keys: Keys, on connection: Connection) throws -> JSON {
    guard case .object(let members) = try PersonalAppointment.records.export(keys, connection)
    else {
      return []
    }
    return members.first?.value ?? []
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
      JSON.Member("doctor", .string(practice?.doctor.name ?? "")),
      JSON.Member("specialization", .string(practice?.department.specialization.rawValue ?? "")),
      JSON.Member("clinic", .string(practice?.clinic.name.string(in: .english) ?? "")),
      JSON.Member("purpose", .string(try booking.details(by: keys).purpose)),
      JSON.Member("history", .array(history)),
    ])
  }
}
