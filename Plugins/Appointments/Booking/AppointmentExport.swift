import PolyclinicCore

/// The appointments in the export of a person's data.
extension Appointment {
  /// Writes bookings with their history, personal appointments, and the doctors for whose earlier
  /// times the person waits.
  static func export(in work: Work, to copy: JSON.Writer) throws {
    try copy.writeArray("bookings") { bookings in
      try Booking.forEach(in: work) { try bookings.append($0.json(at: $1, in: work)) }
    }
    try copy.writeArray("personal") { personal in
      try PersonalAppointment.records.exportElements(asMoment)(work, personal)
    }
    try copy.writeArray("waiting_for_earlier_times") { doctors in
      try work.forEach(
        """
        SELECT \(DoctorName.columns)
        FROM appointments_earlier_time_alerts JOIN appointments_doctors ON id_doctor = doctor
        WHERE appointments_earlier_time_alerts.person = \(work.keys.person) ORDER BY id_alert
        """
      ) { try doctors.append(.string(DoctorName($0).opened(by: work.keys))) }
    }
  }

  /// Replaces the form's local date, time and zone with an RFC 3339 time and the zone's identifier.
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
}

extension Booking {
  fileprivate func json(at placement: DoctorPlacement?, in work: Work) throws -> JSON {
    func time(_ moment: Instant, in zone: Zone) -> JSON {
      .string(ZonedTime(moment, in: zone).description)
    }
    let history = try HistoryEntry.all(of: id, in: work).map { entry in
      JSON.object([
        JSON.Member("at", time(entry.at, in: .utc)),
        JSON.Member("status", .string(entry.status.rawValue)),
        JSON.Member("starts_at", time(entry.startsAt, in: zone)),
        JSON.Member("by", .string(entry.role.rawValue)),
        JSON.Member("name", .string(entry.note.name)),
        JSON.Member("reason", .string(entry.note.reason)),
      ])
    }
    let details = try details(by: work.keys)
    return .object([
      JSON.Member("id", .integer(id.rawValue)),
      JSON.Member("status", .string(status.rawValue)),
      JSON.Member("starts_at", time(span.lowerBound, in: zone)),
      JSON.Member("ends_at", time(span.upperBound, in: zone)),
      JSON.Member("time_zone", .string(zone.identifier)),
      JSON.Member("called_at", calledAt.map { time($0, in: .utc) } ?? .null),
      JSON.Member("declined_at", declinedAt.map { time($0, in: .utc) } ?? .null),
      JSON.Member("doctor", .string(try placement?.doctor.name.opened(by: work.keys) ?? "")),
      JSON.Member("specialization", .string(placement?.department.specialization.rawValue ?? "")),
      JSON.Member("clinic", .string(placement?.clinic.name.string(in: .english) ?? "")),
      JSON.Member("purpose", .string(details.purpose)),
      JSON.Member("child_name", .string(details.child.name)),
      JSON.Member(
        "child_birth_date", details.child.birthDate.map { .string($0.description) } ?? .null),
      JSON.Member("history", .array(history)),
    ])
  }
}
