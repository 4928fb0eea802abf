import PolyclinicCore

/// Changes of working hours. Each first stores the waiting list calls that are due, because the
/// change would otherwise rewrite past calls.
extension WorkingHours {
  /// Replaces the stored hours of a doctor with these.
  func replace(of doctor: ID<Doctor>, in work: Work) throws {
    try WaitingList.settle([doctor], in: work)
    try work.run("DELETE FROM appointments_hours WHERE doctor = \(doctor)")
    for (kind, spans) in [(DoctorSchedule.Hours.Kind.work, self.work), (.break, breaks)] {
      for span in spans {
        guard let minutes = span.minutes else { continue }
        try work.run(
          """
          INSERT INTO appointments_hours (doctor, weekday, starts, ends, kind)
          VALUES (\(doctor), \(span.weekday.number), \(minutes.lowerBound), \(minutes.upperBound),
            \(kind.rawValue))
          """)
      }
    }
  }
}

extension SpecialHours {
  /// Stores each of the days that is not stored yet. Returns the ID of the special hours that
  /// contain them.
  static func insert(
    _ kind: DoctorSchedule.SpecialDay.Kind, of owner: Owner, on days: ClosedRange<CalendarDate>,
    minutes: Range<Int>, in work: Work
  ) throws -> ID<SpecialHours> {
    try WaitingList.settle(owner.doctors(in: work), in: work)
    for day in days.lowerBound.daysSince1970...days.upperBound.daysSince1970 {
      try work.run(
        """
        INSERT INTO appointments_exceptions (doctor, clinic, date, starts, ends, kind)
        VALUES (\(owner.doctor), \(owner.clinic), \(CalendarDate(daysSince1970: day)),
          \(minutes.lowerBound), \(minutes.upperBound), \(kind.rawValue))
        ON CONFLICT DO NOTHING
        """)
    }
    let stored = try all(of: owner, in: work).first {
      $0.kind == kind && $0.minutes == minutes && $0.days.contains(days.lowerBound)
    }
    guard let stored else { throw Refusal.notFound }
    return stored.id
  }

  /// Deletes the special hours, so that the usual hours apply again.
  func delete(in work: Work) throws {
    try WaitingList.settle(owner.doctors(in: work), in: work)
    try work.run(
      """
      DELETE FROM appointments_exceptions
      WHERE \(owner.condition) AND kind = \(kind.rawValue)
        AND starts = \(minutes.lowerBound) AND ends = \(minutes.upperBound)
        AND date >= \(days.lowerBound) AND date <= \(days.upperBound)
      """)
  }
}

extension SpecialHours.Owner {
  /// The administrator's page of the doctor or clinic.
  var page: Path {
    switch self {
    case .doctor(let doctor): "admin/doctors/\(doctor)"
    case .clinic(let clinic): "admin/clinics/\(clinic)"
    }
  }
}
