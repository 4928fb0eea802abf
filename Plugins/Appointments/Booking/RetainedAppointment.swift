import PolyclinicCore
import PolyclinicFormats

/// A past appointment of an erased patient.
///
/// The law requires no more than doctor, times and status. Nothing leads back to the patient, or
/// from one appointment of the patient to the next. The number is random, because numbers in the
/// order of erasure would put the appointments of one patient side by side. An erased doctor stays
/// named here, as in the histories of patients.
struct RetainedAppointment: Sendable {
  let doctor: ID<Doctor>
  let span: Range<Instant>
  let zone: Zone
  let status: String
  let keptUntil: Instant

  static let schema: [SQL] = [
    """
    CREATE TABLE appointments_retained (
      id_retained \(.integer) NOT NULL PRIMARY KEY,
      doctor \(.integer) NOT NULL REFERENCES appointments_doctors (id_doctor),
      starts_at \(.integer) NOT NULL, ends_at \(.integer) NOT NULL, time_zone TEXT NOT NULL,
      status TEXT NOT NULL,
      kept_until \(.integer) NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX appointments_retained_doctor ON appointments_retained (doctor)",
    "CREATE INDEX appointments_retained_kept_until ON appointments_retained (kept_until)",
  ]

  static let retention = PersonalData.Retention("retention.appointments", keep: keep, purge: purge)

  /// Keeps the patient's appointments that have begun and were neither cancelled nor missed. An
  /// appointment without a recorded outcome counts as fulfilled.
  private static func keep(
    of patient: ID<Person>, for period: PersonalData.Retention.Period, in work: Work
  ) throws {
    let begun = try Booking.all(
      where: """
        appointments.person = \(patient) AND doctor IS NOT NULL
          AND starts_at <= \(period.now) AND status NOT IN ('cancelled', 'noshow')
        """, in: work)
    for booking in begun {
      let end = period.end(of: booking.span.upperBound)
      if end <= period.now { continue }
      try work.run(
        """
        INSERT INTO appointments_retained
          (id_retained, doctor, starts_at, ends_at, time_zone, status, kept_until)
        VALUES (\(Int64.random(in: 1...Int64.max)), \(booking.doctor), \(booking.span.lowerBound),
          \(booking.span.upperBound), \(booking.zone.identifier), \(booking.status.rawValue), \(end))
        """)
    }
  }

  private static func purge(in work: Work) throws {
    try work.run("DELETE FROM appointments_retained WHERE kept_until <= \(work.now)")
  }

  /// Returns all retained appointments, the earliest first.
  private static func all(in work: Work) throws -> [RetainedAppointment] {
    try work.rows(
      """
      SELECT doctor, starts_at, ends_at, time_zone, status, kept_until FROM appointments_retained
      ORDER BY starts_at, doctor, id_retained
      """
    ) { row in
      RetainedAppointment(
        doctor: row.id(0), span: row.instant(1)..<row.instant(2),
        zone: Zone(row.string(3)) ?? .utc, status: row.string(4), keptUntil: row.instant(5))
    }
  }
}

extension RetainedAppointment {
  static let command = Command(
    "retained", "Print the appointments of erased patients that are kept by law, as CSV.",
    run: printAll)

  private static func printAll(_ portal: Portal, _ call: Command.Call) throws -> [String] {
    try portal.read { work in
      var table = CSVText(columns: [
        "starts_at", "ends_at", "clinic", "specialization", "doctor", "status", "kept_until",
      ])
      let retained = try all(in: work)
      let placements = try DoctorPlacement.all(of: Set(retained.map(\.doctor)), in: work)
      for one in retained {
        table.append(try one.values(at: placements[one.doctor], by: portal.keys))
      }
      return String(decoding: table.bytes, as: UTF8.self)
        .split(separator: "\r\n").map(String.init)
    }
  }

  private func values(at placement: DoctorPlacement?, by keys: Keys) throws -> [String] {
    [
      ZonedTime(span.lowerBound, in: zone).description,
      ZonedTime(span.upperBound, in: zone).description,
      placement?.clinic.name.string(in: .english) ?? "",
      placement?.department.specialization.rawValue ?? "",
      try placement?.doctor.name.opened(by: keys) ?? "", status,
      ZonedTime(keptUntil, in: .utc).description,
    ]
  }
}
