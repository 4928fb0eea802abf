import PolyclinicCore

extension Booking {
  /// Returns the patient's open bookings that are not over, with one doctor or with all, earliest
  /// first; at most 20.
  static func ahead(of patient: ID<Person>, with doctor: ID<Doctor>? = nil, in work: Work) throws
    -> [Booking]
  {
    try work.rows(
      """
      SELECT \(columns) FROM appointments WHERE \(isAhead(of: patient, with: doctor, at: work.now))
      ORDER BY starts_at LIMIT 20
      """, Booking.init)
  }

  /// Returns all open bookings of the patient that end after a moment, earliest first.
  static func open(of patient: ID<Person>, after moment: Instant, in work: Work) throws -> [Booking]
  {
    try work.rows(
      """
      SELECT \(columns) FROM appointments WHERE \(isAhead(of: patient, with: nil, at: moment))
      ORDER BY starts_at
      """, Booking.init)
  }

  private static func isAhead(
    of patient: ID<Person>, with doctor: ID<Doctor>?, at now: Instant
  ) -> SQL {
    let condition: SQL = doctor.map { "doctor = \($0)" } ?? "doctor IS NOT NULL"
    return """
      appointments.person = \(patient) AND ends_at > \(now) AND \(Appointment.Status.open)
      AND \(condition)
      """
  }

  /// Returns a sentence about the appointments to come that the patient's erasure deletes; nil if
  /// there are none.
  @Sendable
  static func erasureLoss(
    of patient: ID<Person>, in work: Work
  ) throws -> Text? {
    guard let first = try ahead(of: patient, in: work).first,
      let count = try work.integer(
        "SELECT count(*) FROM appointments WHERE \(isAhead(of: patient, with: nil, at: work.now))")
    else { return nil }
    return Text(
      "erasure.ahead", values: ["first": .dateTime(first.span.lowerBound, first.zone)],
      count: count)
  }
}
