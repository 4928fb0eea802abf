import PolyclinicCore

/// The pages for patients to cancel a booking.
enum CancelPages {
  /// Chooses the question, or the page that says why the patient cannot cancel any more.
  static func choose(_ context: Context) throws -> Route {
    try OwnBooking.refusal("cancel.refused", at: "{id}/cancel", context)
      ?? .confirm(
        "{id}/cancel", Cancellation.form, title: "cancel.title", subject: OwnBooking.find,
        question: question, yes: "cancel.yes", cancel: "{id}", save: cancel)
  }

  private static func question(_ booking: Booking, _ context: Context) throws -> HTML {
    let doctor = try DoctorName.find(booking.doctor, in: context)?.shown(context)
    let values = [
      "doctor": doctor ?? "", "time": BookingText.span(booking.span, in: booking.zone, context),
    ]
    return """
      <p>\(context.text("cancel.question", values))</p>\
      <input type="hidden" name="sequence" value="\(booking.sequence)">
      """
  }

  static func cancel(
    _ cancellation: Cancellation, _ booking: Booking, _ context: Context
  ) throws -> Path {
    try OwnBooking.checkUnchanged(booking, context)
    let actor = HistoryEntry.Actor(try context.signedIn(), as: .patient)
    try booking.setStatus(
      .cancelled, by: actor, reason: cancellation.reason, sealedBy: context.keys, in: context)
    try EarlierTimeAlert.send(forReleaseOf: booking, context.portal, in: context)
    return "\(booking.id)?done=cancelled"
  }
}
