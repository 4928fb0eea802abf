import PolyclinicCore

/// The buttons with which the doctor and the reception set the status of an appointment.
enum StatusPages {
  static func arrived(_ context: Context, _ connection: Connection) throws -> Path {
    try mark(.arrived, context, connection)
  }

  static func fulfilled(_ context: Context, _ connection: Connection) throws -> Path {
    try mark(.fulfilled, context, connection)
  }

  static func noshow(_ context: Context, _ connection: Connection) throws -> Path {
    try mark(.noshow, context, connection)
  }

  static func booked(_ context: Context, _ connection: Connection) throws -> Path {
    try mark(.booked, context, connection)
  }

  /// Sets a status that the doctor or the reception chose: arrived, fulfilled, no-show, or booked to undo any of these.
  private static func mark(
    _ status: Appointment.Status, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let (booking, staff) = try Booking.findForStaff(context, on: connection)
    try booking.checkUnchanged(context)
    if let obstacle = booking.obstacle(to: status, at: context.now) {
      throw Refusal.conflict(obstacle)
    }
    do { try booking.setStatus(status, by: staff, context, on: connection) } catch is DoctorTime
      .Taken
    {
      throw Refusal.conflict("desk.given-away")
    }
    if status == .fulfilled {
      try EarlierTimeAlert.unsubscribe(booking.doctor, booking.patient, on: connection)
    }
    if staff.reason == .care, context.request.fields["page"] == "queue" { return "queue" }
    return booking.changedDay(for: staff.reason, isUndone: status == .booked)
  }
}
