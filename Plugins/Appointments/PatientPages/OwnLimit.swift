import PolyclinicCore

/// The limit on upcoming appointments that patients book themselves. Without it, a program could
/// take all times of a doctor within seconds. It does not apply to staff who book for a patient,
/// because they know the reason.
enum OwnLimit {
  /// Throws ``Refusal/conflict(_:)`` if the patient has reached the limit.
  static func check(
    at placement: DoctorPlacement, _ context: Context
  ) throws {
    if try isReached(context) {
      throw Refusal.conflict(try text(at: placement, context))
    }
  }

  /// True if the patient has reached the limit and cannot book any time.
  static func isReached(_ context: Context) throws -> Bool {
    let most = try most(context)
    return try most > 0
      && Booking.openCount(of: context.keys.person, after: context.now, in: context) >= most
  }

  /// Returns the message of ``check(at:_:)`` for a form that was not sent yet; nil if the patient
  /// can book.
  static func notice(
    at placement: DoctorPlacement, _ context: Context
  ) throws -> HTML? {
    guard context.request.method == .get, try isReached(context) else {
      return nil
    }
    return context.notice(.problem, try text(at: placement, context))
  }

  /// Returns the advice for a patient at the limit, with the clinic's phone number if there is one.
  private static func text(at placement: DoctorPlacement, _ context: Context) throws -> Text {
    let most = context.formats.number(try most(context))
    let phone = placement.clinic.phone
    return phone.isEmpty
      ? Text("booking.too-many.no-phone", ["most": most])
      : Text("booking.too-many", ["most": most, "phone": phone])
  }

  /// Returns the maximum number of upcoming appointments; 0 for no limit.
  private static func most(_ context: Context) throws -> Int {
    try context.portal.settings.integer("open_bookings")
  }
}

extension Booking {
  /// Returns the number of a patient's open bookings that are still to come.
  static func openCount(
    of patient: ID<Person>, after now: Instant, in work: Work
  ) throws -> Int {
    try work.integer(
      """
      SELECT count(*) FROM appointments
      WHERE person = \(patient) AND starts_at > \(now) AND \(Appointment.Status.open)
      """) ?? 0
  }
}
