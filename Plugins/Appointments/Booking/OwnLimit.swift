import PolyclinicCore

/// How many appointments somebody can have ahead who books them without anybody's help: a program would
/// else take all times of a doctor within seconds. Who books for a patient knows why, and is not bound.
extension AppointmentsModule {
  /// Throws ``Refusal/conflict(_:)`` where the patient has as many appointments ahead as one can book.
  func checkOwnLimit(
    at practice: Practice, _ context: Context, on connection: Connection
  ) throws {
    if try hasReachedLimit(context, on: connection) {
      throw Refusal.conflict(try ownLimit(at: practice, context))
    }
  }

  /// Whether the patient can book no time at all.
  func hasReachedLimit(_ context: Context, on connection: Connection) throws -> Bool {
    let most = try Self.most(context)
    return try most > 0
      && Booking.openCount(of: context.keys.person, after: context.now, on: connection) >= most
  }

  /// The same for who has not sent the form yet; nil where something can be booked.
  func ownLimitNotice(
    at practice: Practice, _ context: Context, on connection: Connection
  ) throws -> HTML? {
    guard context.request.method == .get, try hasReachedLimit(context, on: connection) else {
      return nil
    }
    let text = context.text(try ownLimit(at: practice, context))
    return "<div class=\"notice warning\"><p>\(text)</p></div>"
  }

  /// What can be done, and whom to call where somebody can be called.
  private func ownLimit(at practice: Practice, _ context: Context) throws -> Text {
    let most = context.formats.number(try Self.most(context))
    let phone = practice.clinic.phone
    return phone.isEmpty
      ? Text("booking.too-many.no-phone", ["most": most])
      : Text("booking.too-many", ["most": most, "phone": phone])
  }

  /// 0 where nobody is bound.
  private static func most(_ context: Context) throws -> Int {
    try context.portal.settings.integer("open_bookings")
  }
}

extension Booking {
  /// How many of a patient's are still to come.
  static func openCount(
    of patient: ID<Person>, after now: Instant, on connection: Connection
  ) throws -> Int {
    try connection.integer(
      """
      SELECT count(*) FROM appointments
      WHERE person = \(patient) AND starts_at > \(now) AND \(Appointment.Status.open)
      """) ?? 0
  }
}
