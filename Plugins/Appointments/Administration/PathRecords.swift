import PolyclinicCore

/// The records that the `{id}` of an administration page's path names.
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

extension SpecialHours {
  /// Returns the special hours that the `{id}` of the path names, with the clinic's time zone.
  /// Throws ``Refusal/notFound`` if there are none.
  static func inPath(
    _ context: Context
  ) throws -> (SpecialHours, Zone) {
    try withZone(context.id(), in: context)
  }

  /// Returns special hours with the time zone of their clinic. Throws ``Refusal/notFound`` if there
  /// are none.
  static func withZone(
    _ id: ID<SpecialHours>, in work: Work
  ) throws -> (SpecialHours, Zone) {
    guard let specialHours = try SpecialHours.find(id, in: work) else {
      throw Refusal.notFound
    }
    return (specialHours, try zone(of: specialHours.owner, in: work))
  }

  private static func zone(
    of owner: SpecialHours.Owner, in work: Work
  ) throws -> Zone {
    let clinic: Clinic?
    switch owner {
    case .clinic(let id): clinic = try Clinic.find(id, in: work)
    case .doctor(let id):
      let department = try Doctor.find(id, in: work).flatMap {
        try Department.find($0.department, in: work)
      }
      clinic = try department.flatMap { try Clinic.find($0.clinic, in: work) }
    }
    guard let clinic else { throw Refusal.notFound }
    return clinic.zone
  }
}
