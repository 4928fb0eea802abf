import PolyclinicCore

/// The doctor who is signed in, and the page for one whom no clinic has entered.
enum SignedInDoctor {
  /// Returns the doctor who is signed in; nil if no clinic has entered the doctor yet.
  static func find(_ context: Context) throws -> Doctor? {
    try Doctor.of(context.signedIn().person, in: context)
  }

  /// Returns the doctor who is signed in, with department and clinic. Throws ``Refusal/notFound``
  /// if no clinic has entered the doctor yet.
  static func placement(_ context: Context) throws -> DoctorPlacement {
    guard let placement = try placementIfEntered(context) else { throw Refusal.notFound }
    return placement
  }

  /// Returns the doctor who is signed in, with department and clinic; nil if no clinic has entered
  /// the doctor yet.
  static func placementIfEntered(_ context: Context) throws -> DoctorPlacement? {
    try DoctorPlacement.find(of: context.signedIn().person, in: context)
  }

  /// Returns the page for a doctor whom no clinic has entered yet.
  static func notEntered(_ title: Text, _ context: Context) -> Page {
    Page(
      title,
      context.emptyState(.clock, "queue.none", hint: "queue.none.hint"))
  }
}
