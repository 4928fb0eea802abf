import PolyclinicCore

/// The buttons with which the doctor and the reception change a booking.
struct BookingButtons {
  let booking: Booking
  /// The visitor's reason for seeing the booking: care or the reception's work.
  let reason: AccessReason
  /// The patient's name. Screen readers read it with each button, because their users do not see the row.
  let name: String
  let context: Context

  var content: HTML { "\(each: marks, mark)\(reschedule)\(cancel)" }

  private var marks: [Appointment.Status] {
    [.arrived, .fulfilled, .noshow, .booked].filter {
      booking.status.next.contains($0) && booking.obstacle(to: $0, at: context.now) == nil
    }
  }

  private func mark(_ status: Appointment.Status) -> HTML {
    let path: Path = "/appointments/\(booking.id)/\(status.rawValue)"
    return context.button(
      Text("desk.\(status.rawValue)"), posts: path,
      with: ["date": booking.local.date.description, "sequence": String(booking.sequence)],
      style: status == .booked ? [.plain, .small] : [.secondary, .small], of: name)
  }

  /// The reception's link to reschedule, until the appointment begins. A patient who missed it books a new one.
  private var reschedule: HTML? {
    guard reason == .desk, booking.status == .booked, booking.span.lowerBound > context.now else {
      return nil
    }
    return context.button(
      "appointment.move", to: "/appointments/\(booking.id)/edit", style: [.plain, .small], of: name)
  }

  private var cancel: HTML? {
    guard reason == .desk, booking.status.next.contains(.cancelled) else { return nil }
    return context.button(
      "desk.withdraw", to: "/appointments/\(booking.id)/withdraw",
      style: [.plain, .danger, .small], of: name)
  }
}
