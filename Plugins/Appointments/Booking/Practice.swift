import PolyclinicCore

/// A doctor in the department and the clinic where the doctor sees patients.
struct Practice: Sendable {
  let doctor: Doctor
  let department: Department
  let clinic: Clinic

  /// Whether something can be booked there.
  var isOpen: Bool {
    doctor.person != nil && doctor.disabledAt == nil && department.closedAt == nil
      && clinic.closedAt == nil
  }

  /// A doctor's practice, open or not; nil for an unknown doctor.
  static func find(_ id: ID<Doctor>, on connection: Connection) throws -> Practice? {
    try connection.row(
      """
      SELECT \(Doctor.columns), \(Department.columns), \(Clinic.columns) FROM appointments_doctors
        JOIN appointments_departments ON id_department = department
        JOIN appointments_clinics ON id_clinic = clinic
      WHERE id_doctor = \(id)
      """
    ) { row in
      let behindDoctor = row.from(Doctor.columnCount)
      return Department(behindDoctor).map {
        Practice(
          doctor: Doctor(row), department: $0,
          clinic: Clinic(behindDoctor.from(Department.columnCount)))
      }
    } ?? nil
  }

  /// The length of an appointment: the doctor's own, or what the configuration says, in whole grains.
  func slot(_ settings: Settings) throws -> Seconds {
    let minutes = try doctor.slotMinutes ?? settings.integer("slot_minutes")
    let grains = max(1, Int64(minutes) * 60 / DoctorTime.grain.count)
    return Seconds(grains * DoctorTime.grain.count)
  }

  /// What its clocks show at a moment.
  func local(_ instant: Instant) -> LocalDateTime { LocalDateTime(instant, in: clinic.zone) }
}
