import PolyclinicCore

/// The pages for patients to cancel a booking.
enum CancelPages {
  static let route = Route.confirm(
    "{id}/cancel", Cancellation.form, title: "cancel.title", subject: Booking.own,
    before: { try $0.refusal("cancel.refused", $1) }, question: question, yes: "cancel.yes",
    cancel: "{id}", save: cancel
  ).saying("appointment.done.cancelled").leadingBack(to: "{id}")

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
    if let reason = try booking.reasonAgainstChange(context) { throw Refusal.conflict(reason) }
    try booking.checkUnchanged(context)
    let actor = HistoryEntry.Actor(try context.signedIn(), as: .patient)
    try booking.setStatus(
      .cancelled, by: actor, reason: cancellation.reason, sealedBy: context.keys, in: context)
    try EarlierTimeAlert.send(forReleaseOf: booking, context.portal, in: context)
    return "\(booking.id)"
  }
}
