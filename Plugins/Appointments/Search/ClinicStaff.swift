import PolyclinicCore

/// An open department and its doctors whom the public pages list.
struct ClinicStaff: Sendable {
  let department: Department
  let doctors: [Doctor]

  /// Returns the open departments of a clinic, with their doctors by name.
  static func all(
    of clinic: ID<Clinic>, _ context: Context
  ) throws -> [ClinicStaff] {
    let listed = Dictionary(
      grouping: try Doctor.listed(from: context.today, in: context), by: \.department)
    return try Department.open(of: clinic, in: context).map { department in
      let doctors = listed[department.id] ?? []
      return ClinicStaff(
        department: department,
        doctors: try doctors.sorted(by: context.portal.keys, in: context.language))
    }
  }
}
