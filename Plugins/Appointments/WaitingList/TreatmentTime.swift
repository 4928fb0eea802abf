import PolyclinicCore

extension DoctorTime {
  /// The spans within `span` that appointments hold, in order; those that touch are one.
  static func booked(
    of doctor: ID<Doctor>, within span: Range<Instant>, on connection: Connection
  ) throws -> [Range<Instant>] {
    let grains = grains(of: span)
    var spans: [Range<Instant>] = []
    let booked = try connection.rows(
      """
      SELECT grain FROM appointments_grains
      WHERE doctor = \(doctor) AND appointment IS NOT NULL
        AND grain >= \(grains.lowerBound) AND grain < \(grains.upperBound)
      ORDER BY grain
      """
    ) { Instant(Int64($0.int(0)) * grain.count) }
    for start in booked {
      let end = start + grain
      guard let last = spans.last, last.upperBound == start else {
        spans.append(start..<end)
        continue
      }
      spans[spans.count - 1] = last.lowerBound..<end
    }
    return spans
  }

  /// Claims the time of a treatment, so that none of it can be booked.
  ///
  /// Treatments begin at any minute, one where the other ends: a grain that both touch stays with the
  /// earlier one. Throws ``Taken`` when an appointment has a part of it.
  static func claimTreatment(
    _ span: Range<Instant>, of doctor: ID<Doctor>, for ticket: ID<Ticket>,
    on connection: Connection
  ) throws {
    guard try booked(of: doctor, within: span, on: connection).isEmpty else { throw Taken() }
    for grain in grains(of: span) {
      try connection.run(
        """
        INSERT INTO appointments_grains (doctor, grain, ticket)
        VALUES (\(doctor), \(grain), \(ticket)) ON CONFLICT (doctor, grain) DO NOTHING
        """)
    }
  }
}
