import PolyclinicCore

/// The number of open appointments of a clinic, department or doctor, and the start of the last
/// one.
struct OpenBookings: Sendable, Equatable {
  let count: Int
  /// The start of the last appointment; nil if there is none.
  let until: Instant?

  /// Returns the appointments in all departments of a clinic.
  static func at(
    _ clinic: ID<Clinic>, after now: Instant, in work: Work
  ) throws -> OpenBookings {
    try of(
      """
      SELECT id_doctor FROM appointments_doctors
        JOIN appointments_departments ON department = id_department
      WHERE clinic = \(clinic)
      """, after: now, in: work)
  }

  /// Returns the appointments with the doctors of a department.
  static func with(
    doctorsOf department: ID<Department>, after now: Instant, in work: Work
  ) throws -> OpenBookings {
    try of(
      "SELECT id_doctor FROM appointments_doctors WHERE department = \(department)", after: now,
      in: work)
  }

  /// Returns the appointments with one doctor.
  static func with(
    _ doctor: ID<Doctor>, after now: Instant, in work: Work
  ) throws -> OpenBookings {
    try of(
      "SELECT id_doctor FROM appointments_doctors WHERE id_doctor = \(doctor)", after: now, in: work
    )
  }

  private static func of(
    _ doctors: SQL, after now: Instant, in work: Work
  ) throws -> OpenBookings {
    let booked = try work.row(
      """
      SELECT count(*), max(starts_at) FROM appointments
      WHERE doctor IN (\(doctors)) AND \(Appointment.Status.open) AND ends_at > \(now)
        AND deleted_at IS NULL
      """
    ) { OpenBookings(count: $0.int(0), until: $0.optional(1, Row.instant)) }
    return booked ?? OpenBookings(count: 0, until: nil)
  }
}

extension OpenBookings {
  /// Returns “12 appointments are booked there, the last on 9 May 2026 at 10:30.”, in the clinic's
  /// time zone.
  func sentence(in zone: Zone, _ context: Context) -> HTML {
    guard let until else { return "<p>\(context.text("admin.booked.nothing"))</p>" }
    let formats = Formats(language: context.language, timeZone: zone)
    let text = Text("admin.booked", ["until": formats.dateTime(until)], count: count)
    return "<p>\(context.text(text))</p>"
  }

  /// Returns the warning for a delete question: the booked appointments, and a link to the
  /// alternative if `path` is given. Returns nil if nothing is booked.
  func obstacle(
    in zone: Zone, instead label: Text, at path: Path?, _ context: Context
  ) -> HTML? {
    if count == 0 { return nil }
    let way: HTML? = path.map { "<p><a href=\"\($0)\">\(context.text(label))</a></p>" }
    return "\(sentence(in: zone, context))\(way)"
  }
}
