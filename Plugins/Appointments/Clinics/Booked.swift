import PolyclinicCore

/// What is still to come of what was booked: how many, and until when.
struct Booked: Sendable, Equatable {
  let count: Int
  /// The end of the last; nil where there is none.
  let until: Instant?

  /// At a clinic, in whichever department.
  static func at(
    _ clinic: ID<Clinic>, after now: Instant, on connection: Connection
  ) throws -> Booked {
    try of(
      """
      SELECT id_doctor FROM appointments_doctors
        JOIN appointments_departments ON department = id_department
      WHERE clinic = \(clinic)
      """, after: now, on: connection)
  }

  /// With the doctors of a department.
  static func with(
    doctorsOf department: ID<Department>, after now: Instant, on connection: Connection
  ) throws -> Booked {
    try of(
      "SELECT id_doctor FROM appointments_doctors WHERE department = \(department)", after: now,
      on: connection)
  }

  /// With one doctor.
  static func with(
    _ doctor: ID<Doctor>, after now: Instant, on connection: Connection
  ) throws -> Booked {
    try of(
      "SELECT id_doctor FROM appointments_doctors WHERE id_doctor = \(doctor)", after: now,
      on: connection)
  }

  private static func of(
    _ doctors: SQL, after now: Instant, on connection: Connection
  ) throws -> Booked {
    let booked = try connection.row(
      """
      SELECT count(*), max(ends_at) FROM appointments
      WHERE doctor IN (\(doctors)) AND \(Appointment.Status.open) AND ends_at > \(now)
        AND deleted_at IS NULL
      """
    ) { Booked(count: $0.int(0), until: $0.optional(1, Row.instant)) }
    return booked ?? Booked(count: 0, until: nil)
  }
}

extension Booked {
  /// “12 appointments are booked there, the last on 9 May 2026 at 10:30.”, by the clinic's clocks.
  func sentence(in zone: Zone, _ context: Context) -> HTML {
    guard let until else { return "<p>\(context.text("admin.booked.nothing"))</p>" }
    let formats = Formats(language: context.language, timeZone: zone)
    let text = Text("admin.booked", ["until": formats.dateTime(until)], count: count)
    return "<p>\(context.text(text))</p>"
  }

  /// What is booked with something that somebody wants to delete, and the way to what can be done instead,
  /// where there is one; nil where nothing is booked.
  func obstacle(
    in zone: Zone, instead label: Text, at path: Path?, _ context: Context
  ) -> HTML? {
    if count == 0 { return nil }
    let way: HTML? = path.map { "<p><a href=\"\($0)\">\(context.text(label))</a></p>" }
    return "\(sentence(in: zone, context))\(way)"
  }
}
