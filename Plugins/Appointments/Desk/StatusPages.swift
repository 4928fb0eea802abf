import PolyclinicCore

/// The buttons with which the doctor and the reception set the status of an appointment.
enum StatusPages {
  static func arrived(_ context: Context) throws -> Path {
    try mark(.arrived, context)
  }

  static func fulfilled(_ context: Context) throws -> Path {
    try mark(.fulfilled, context)
  }

  static func noshow(_ context: Context) throws -> Path {
    try mark(.noshow, context)
  }

  /// Takes back the latest status or the call.
  static func undo(_ context: Context) throws -> Path {
    try change(to: .booked, context) { booking, staff in
      try booking.undoStatus(by: staff, context)
    }
  }

  /// Sets a status that the doctor or the reception chose: arrived, fulfilled or no-show.
  private static func mark(
    _ status: Appointment.Status, _ context: Context
  ) throws -> Path {
    try change(to: status, context) { booking, staff in
      try booking.setStatus(status, by: staff, context)
      if status == .fulfilled {
        try EarlierTimeAlert.unsubscribe(booking.doctor, booking.patient, in: context)
      }
    }
  }

  private static func change(
    to status: Appointment.Status, _ context: Context,
    _ body: (Booking, Booking.Staff) throws -> Void
  ) throws -> Path {
    let (booking, staff) = try Booking.findForStaff(context)
    try booking.checkUnchanged(context)
    if let obstacle = booking.obstacle(to: status, at: context.now) {
      throw Refusal.conflict(obstacle)
    }
    do { try body(booking, staff) } catch is ClaimedTime.Taken {
      throw Refusal.conflict("reception.given-away")
    }
    if staff.reason == .care, context.request.fields["page"] == "queue" { return "queue" }
    return booking.changedDay(for: staff.reason, isUndone: status == .booked)
  }
}
