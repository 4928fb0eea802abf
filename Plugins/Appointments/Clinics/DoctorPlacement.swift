import PolyclinicCore

/// A doctor with their department and clinic.
struct DoctorPlacement: Sendable {
  let doctor: Doctor
  let department: Department
  let clinic: Clinic

  /// True if patients can book appointments there.
  var isOpen: Bool {
    doctor.person != nil && doctor.disabledAt == nil && department.closedAt == nil
      && clinic.closedAt == nil
  }

  /// True if the doctor sees children: a pediatrician, or any doctor of a clinic for children.
  var isForChildren: Bool { department.specialization == .pediatrics || clinic.isPediatric }

  /// Returns the badge of a doctor who sees children; nil for all others.
  func childrenBadge(_ context: Context) -> HTML? {
    isForChildren ? context.badge("clinics.pediatric.badge") : nil
  }

  /// Returns a doctor's placement, open or not; nil for an unknown doctor.
  static func find(_ id: ID<Doctor>, in work: Work) throws -> DoctorPlacement? {
    try find(where: "id_doctor = \(id)", in: work)
  }

  /// Returns the placement of the doctor who is this person; nil if no clinic has entered one.
  static func find(of person: ID<Person>, in work: Work) throws -> DoctorPlacement? {
    try find(where: "person = \(person)", in: work)
  }

  private static func find(where condition: SQL, in work: Work) throws -> DoctorPlacement? {
    try work.row(
      """
      SELECT \(Doctor.columns), \(Department.columns), \(Clinic.columns) FROM appointments_doctors
        JOIN appointments_departments ON id_department = department
        JOIN appointments_clinics ON id_clinic = clinic
      WHERE \(condition)
      """
    ) { row in
      let behindDoctor = row.from(Doctor.columnCount)
      return Department(behindDoctor).map {
        DoctorPlacement(
          doctor: Doctor(row), department: $0,
          clinic: Clinic(behindDoctor.from(Department.columnCount)))
      }
    } ?? nil
  }

  /// Returns a moment in the clinic's local time.
  func local(_ instant: Instant) -> LocalDateTime { LocalDateTime(instant, in: clinic.zone) }
}
