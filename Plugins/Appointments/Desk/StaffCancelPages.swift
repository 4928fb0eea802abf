import PolyclinicCore

/// Pages for the doctor and the reception to cancel a patient's booking.
enum StaffCancelPages {
  static let route = Route.confirm(
    "{id}/withdraw", Cancellation.formOfStaff, title: "cancel.title",
    subject: Booking.findForStaff, question: question, yes: "cancel.yes", cancel: "{id}",
    save: cancel
  ).leadingBack(to: "{id}").marking(by: Booking.area)

  /// Returns the text above the form. Uses a write transaction, because showing the patient's name
  /// adds an entry to their access log.
  static func question(_ found: Booking.ForStaff, _ context: Context) throws -> HTML {
    let (booking, staff) = found
    return try context.write { context in
      let doctor = try DoctorName.find(booking.doctor, in: context)?.shown(context)
      let values = [
        "doctor": doctor ?? "", "time": BookingText.span(booking.span, in: booking.zone, context),
      ]
      let patient = try BookedPatient.find(of: booking, for: staff, context)
      return """
        \(patient?.heading)<p>\(context.text("cancel.question", values))</p>\
        \(patient?.notice("reception.withdraw.told", context))\
        <input type="hidden" name="sequence" value="\(booking.sequence)">
        """
    }
  }

  static func cancel(
    _ cancellation: Cancellation, _ found: Booking.ForStaff, _ context: Context
  ) throws -> Path {
    let (booking, staff) = found
    try booking.checkUnchanged(context)
    try booking.cancel(by: staff, reason: cancellation.reason, context)
    return booking.changedDay(for: staff.reason)
  }
}
