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
    try all(where: "id_doctor = \(id)", in: work).first
  }

  /// Returns the placement of the doctor who is this person; nil if no clinic has entered one.
  static func find(of person: ID<Person>, in work: Work) throws -> DoctorPlacement? {
    try all(where: "person = \(person)", in: work).first
  }

  /// Returns the placements of the doctors who are these people, open or not.
  static func all(ofPeople people: [ID<Person>], in work: Work) throws -> [DoctorPlacement] {
    try all(where: "person IN \(list: people)", in: work)
  }

  /// Returns the placements of these doctors, open or not.
  static func all(
    of doctors: Set<ID<Doctor>>, in work: Work
  ) throws -> [ID<Doctor>: DoctorPlacement] {
    let found = try all(where: "id_doctor IN \(list: doctors.sorted())", in: work)
    return Dictionary(uniqueKeysWithValues: found.map { ($0.doctor.id, $0) })
  }

  /// Returns the placements of all doctors of a clinic, open or not, by ID.
  static func all(at clinic: ID<Clinic>, in work: Work) throws -> [DoctorPlacement] {
    try all(where: "id_clinic = \(clinic) ORDER BY id_doctor", in: work)
  }

  private static func all(where condition: SQL, in work: Work) throws -> [DoctorPlacement] {
    try work.rows(
      """
      SELECT \(Doctor.columns), \(Department.columns), \(Clinic.table.columns) FROM appointments_doctors
        JOIN appointments_departments ON id_department = department
        JOIN appointments_clinics ON id_clinic = clinic
      WHERE \(condition)
      """
    ) { row in
      let behindDoctor = row.from(Doctor.columnCount)
      return Department(behindDoctor).map {
        DoctorPlacement(
          doctor: Doctor(row), department: $0,
          clinic: Clinic.table.record(from: behindDoctor.from(Department.columnCount)))
      }
    }.compactMap(\.self)
  }

  /// Returns a moment in the clinic's local time.
  func local(_ instant: Instant) -> LocalDateTime { LocalDateTime(instant, in: clinic.zone) }
}
