import PolyclinicCore

/// What clinics keep about people: who works there.
extension AppointmentsModule {
  var clinicData: PersonalData {
    PersonalData(
      .sealed(
        "privacy.doctor-name", until: "privacy.doctor-name.until",
        seenBy: "privacy.doctor-name.seen-by"),
      .plain(
        "privacy.clinic-staff", until: "privacy.until-erased",
        seenBy: "privacy.clinic-staff.seen-by",
        columns: [
          "appointments_doctors.department", "appointments_doctors.slot_minutes",
          "appointments_doctors.disabled_at", "appointments_hours", "appointments_exceptions",
          "appointments_receptionists",
        ]),
      impersonal: [
        "appointments_clinics": "public", "appointments_departments": "public",
        "appointments_doctors.name": "empty: the name stands in sealed_name",
        "appointments_claimed":
          "a doctor's booked time as bits, by which nobody is told from another",
      ],
      export: exportClinics, obstacle: bookedPatients(of:at:on:))
  }

  /// A doctor's patients are not to find out at the door: what is booked is settled before the doctor is
  /// erased.
  private func bookedPatients(
    of person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Text? {
    guard let doctor = try Doctor.of(person, on: connection) else { return nil }
    let booked = try Booked.with(doctor.id, after: now, on: connection)
    guard let until = booked.until,
      let zone = try Practice.find(doctor.id, on: connection)?.clinic.zone
    else { return nil }
    return Text(
      "erasure.booked", values: ["until": .dateTime(until, zone)], count: booked.count)
  }

  /// Those who are no longer doctors are disabled: nothing more is booked, and the line closes.
  /// What is booked stays, until somebody moves or cancels it.
  var doctorWithdrawal: Withdrawal {
    Withdrawal(of: .doctor, warning: whatIsDisabled(with:at:on:)) { person, now, connection in
      guard let doctor = try Doctor.of(person, on: connection) else { return }
      try Doctor.disable(doctor.id, at: now, on: connection)
    }
  }

  private func whatIsDisabled(
    with person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> Text? {
    guard let doctor = try Doctor.of(person, on: connection), doctor.disabledAt == nil
    else { return nil }
    let booked = try Booked.with(doctor.id, after: now, on: connection).count
    return booked == 0 ? "withdrawal.doctor" : Text("withdrawal.doctor.booked", count: booked)
  }

  /// The desks the person works at, and the doctor the person is.
  private func exportClinics(
    _ keys: Keys, _ connection: Connection, _ copy: JSONWriter
  ) throws {
    let desks = try Receptionist.clinics(of: keys.person, on: connection).map {
      JSON.string($0.name.string(in: .english))
    }
    try copy.write("desks", .array(desks))
    let doctor = try Doctor.of(keys.person, on: connection).map { try export($0, by: keys) }
    try copy.write("doctor", doctor ?? .null)
  }

  private func export(_ doctor: Doctor, by keys: Keys) throws -> JSON {
    [
      "name": .string(try doctor.name.opened(by: keys)),
      "slot_minutes": doctor.slotMinutes.map { .integer(Int64($0)) } ?? .null,
    ]
  }
}
