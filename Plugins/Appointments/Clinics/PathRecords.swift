import PolyclinicCore

/// The records that the `{id}` of a page's path names.
extension Clinic {
  /// Returns the clinic that the `{id}` of the path names. Throws ``Refusal/notFound`` if it does
  /// not exist.
  static func inPath(_ context: Context) throws -> Clinic {
    guard let clinic = try Clinic.find(context.id(), in: context) else {
      throw Refusal.notFound
    }
    return clinic
  }
}

extension Department {
  /// A department with its clinic.
  typealias InClinic = (department: Department, clinic: Clinic)

  /// Returns the department that the `{id}` of the path names, with its clinic. Throws
  /// ``Refusal/notFound`` if it does not exist.
  static func inPath(_ context: Context) throws -> InClinic {
    guard let department = try Department.find(context.id(), in: context),
      let clinic = try Clinic.find(department.clinic, in: context)
    else { throw Refusal.notFound }
    return (department, clinic)
  }
}

extension DoctorPlacement {
  /// Returns the placement of the doctor that the `{id}` of the path names. Throws
  /// ``Refusal/notFound`` if there is no such doctor.
  static func inPath(_ context: Context) throws -> DoctorPlacement {
    guard let placement = try find(context.id(), in: context) else { throw Refusal.notFound }
    return placement
  }
}
