import PolyclinicCore

/// The page on which a patient with an appointment, whom the doctor has called, says that they
/// cannot come.
enum DeclinePages {
  /// Returns the visitor's own booking with the ID `{id}`. Throws ``Refusal/conflict(_:)`` if there
  /// is no call to decline.
  static func find(_ context: Context) throws -> Booking {
    let booking = try Booking.own(context)
    try booking.requireCallToDecline(in: context)
    return booking
  }

  static func question(_ booking: Booking, _ context: Context) throws -> HTML {
    let doctor = try DoctorName.find(booking.doctor, in: context)
    let values = ["doctor": try doctor?.shown(context) ?? ""]
    return """
      <p>\(context.text(Text("booking.called", values)))</p><p>\(context.text("decline.question"))</p>
      """
  }

  static func decline(
    _ booking: Booking, _ context: Context
  ) throws -> Path {
    try booking.decline(context)
    return "\(booking.id)"
  }
}
