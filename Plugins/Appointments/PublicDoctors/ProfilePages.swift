import PolyclinicCore

/// The form in which doctors edit what their own page says about them.
enum ProfilePages {
  static func load(_ context: Context) throws -> DoctorProfile {
    try context.database.read {
      try own(context, on: $0).name.profile(by: context.portal.keys)
    }
  }

  static func save(
    _ profile: DoctorProfile, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let doctor = try own(context, on: connection)
    try profile.store(of: doctor.id, by: context.portal.keys, on: connection)
    return "doctors/\(doctor.id)"
  }

  /// Returns the doctor in the path. Throws ``Refusal/notFound`` if that is not the visitor.
  private static func own(_ context: Context, on connection: Connection) throws -> Doctor {
    let visitor = try context.signedIn()
    guard let doctor = try Doctor.find(context.id(), on: connection),
      doctor.person == visitor.person
    else { throw Refusal.notFound }
    return doctor
  }
}
