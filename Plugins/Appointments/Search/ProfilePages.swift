import PolyclinicCore

/// The form in which doctors edit what their own page says about them.
enum ProfilePages {
  static func load(_ context: Context) throws -> DoctorProfile {
    try own(context).name.profile(by: context.portal.keys)
  }

  static func save(
    _ profile: DoctorProfile, _ context: Context
  ) throws -> Path {
    let doctor = try own(context)
    try profile.store(of: doctor.id, in: context.with(context.portal.keys))
    return "doctors/\(doctor.id)"
  }

  /// Returns the doctor in the path. Throws ``Refusal/notFound`` if that is not the visitor.
  private static func own(_ context: Context) throws -> Doctor {
    let visitor = try context.signedIn()
    guard let doctor = try Doctor.find(context.id(), in: context),
      doctor.person == visitor.person
    else { throw Refusal.notFound }
    return doctor
  }
}
