import PolyclinicCore

/// Cancelling a booking for the patient, by the doctor or the desk.
extension AppointmentsModule {
  /// Asked in a transaction that writes: it names the patient, who reads of the look.
  func withdrawQuestion(_ context: Context) throws -> HTML {
    try context.database.write { connection in
      let (booking, staff) = try staffed(context, on: connection)
      let doctor = try DoctorName.find(
        booking.doctor, by: context.portal.keys, on: connection)
      let values = [
        "doctor": doctor ?? "", "time": BookingWords.span(booking.span, in: booking.zone, context),
      ]
      let patient = try patient(of: booking, for: staff, context, on: connection)
      return """
        \(patient?.heading)<p>\(context.text("cancel.question", values))</p>\
        \(patient?.telling("desk.withdraw.told", context))\
        <input type="hidden" name="sequence" value="\(booking.sequence)">
        """
    }
  }

  func withdraw(
    _ cancellation: Cancellation, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let (booking, staff) = try staffed(context, on: connection)
    try checkUnchanged(booking, context)
    try booking.cancel(by: staff, reason: cancellation.reason, context, on: connection)
    return booking.changedDay(for: staff.reason)
  }
}
