import PolyclinicCore

/// The visitor's own booking on the pages that change it, and the reasons against a change.
enum OwnBooking {
  /// Returns the visitor's own booking with the ID `{id}`. Throws ``Refusal/notFound`` if there is
  /// none.
  static func find(_ context: Context) throws -> Booking {
    let booking = try Booking.find(context.id(), of: context.keys.person, in: context)
    guard let booking else { throw Refusal.notFound }
    return booking
  }

  /// Throws ``Refusal/conflict(_:)`` if the patient cannot change the booking any more.
  static func checkStillOpen(
    _ booking: Booking, _ context: Context
  ) throws {
    if let reason = try reason(againstChanging: booking, context) {
      throw Refusal.conflict(reason)
    }
  }

  /// Chooses the page that says why the patient cannot change the booking any more; nil if the
  /// patient still can, and after a submission.
  static func refusal(
    _ title: Text, at path: Path, _ context: Context
  ) throws -> Route? {
    guard context.request.method == .get else { return nil }
    let booking = try find(context)
    let (id, reason) = (booking.id, try self.reason(againstChanging: booking, context))
    guard let reason else { return nil }
    return .get(path) { context in
      let notice = context.notice(.problem, reason)
      return .page(Page(title, notice, back: "\(id)"), status: 409)
    }
  }

  /// Returns the reason why the patient cannot change the booking any more; nil if the patient
  /// still can.
  static func reason(
    againstChanging booking: Booking, _ context: Context
  ) throws -> Text? {
    if booking.isCalled { return "cancel.called" }
    guard booking.status == .booked, booking.span.lowerBound > context.now else {
      return booking.status == .cancelled ? "cancel.done-before" : "cancel.over"
    }
    let hours = try context.portal.settings.integer("cancel_until_hours")
    if context.now + .hours(hours) <= booking.span.lowerBound { return nil }
    let clinic = try DoctorPlacement.find(booking.doctor, in: context)?.clinic
    return BookingText.tooLate(by: hours, clinic)
  }

  /// Throws ``Refusal/conflict(_:)`` if the booking has changed since the page was shown, or if the
  /// patient cannot change it any more.
  static func checkUnchanged(
    _ booking: Booking, _ context: Context
  ) throws {
    try checkStillOpen(booking, context)
    try booking.checkUnchanged(context)
  }
}
