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
    try context.database.read { connection in
      let doctor = try DoctorName.find(booking.doctor, on: connection)?.shown(context)
      let values = [
        "doctor": doctor ?? "", "time": BookingText.span(booking.span, in: booking.zone, context),
      ]
      return """
        <p>\(context.text("cancel.question", values))</p>\
        <input type="hidden" name="sequence" value="\(booking.sequence)">
        """
    }
  }

  static func cancel(
    _ cancellation: Cancellation, _ booking: Booking, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try OwnBooking.checkUnchanged(booking, context, on: connection)
    let actor = HistoryEntry.Actor(try context.signedIn(), as: .patient)
    try booking.setStatus(
      .cancelled, by: actor, reason: cancellation.reason, sealedBy: context.keys, at: context.now,
      on: connection)
    try EarlierTimeAlert.send(forReleaseOf: booking, context.portal, on: connection)
    return "\(booking.id)?done=cancelled"
  }
}
