import PolyclinicCore

/// The page on which a patient with an appointment, whom the doctor has called, says that they cannot come.
enum DeclinePages {
  /// Returns the visitor's own booking with the ID `{id}`. Throws ``Refusal/conflict(_:)`` if there is no call to decline.
  static func find(_ context: Context, on connection: Connection) throws -> Booking {
    let booking = try OwnBooking.find(context, on: connection)
    try booking.requireCallToDecline(at: context.now, on: connection)
    return booking
  }

  static func question(_ booking: Booking, _ context: Context) throws -> HTML {
    let doctor = try context.database.read { try DoctorName.find(booking.doctor, on: $0) }
    let values = ["doctor": try doctor?.shown(context) ?? ""]
    return """
      <p>\(context.text(Text("booking.called", values)))</p><p>\(context.text("decline.question"))</p>
      """
  }

  static func decline(
    _ booking: Booking, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try booking.decline(context, on: connection)
    return "\(booking.id)"
  }
}
