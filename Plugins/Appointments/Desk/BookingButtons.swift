import PolyclinicCore

/// The buttons with which the doctor and the reception change a booking.
struct BookingButtons {
  let booking: Booking
  /// The visitor's reason for seeing the booking: care or the reception's work.
  let reason: AccessReason
  /// The patient's name. Screen readers read it with each button, because their users do not see
  /// the row.
  let name: String
  let context: Context
  /// True on the page of the doctor's waiting list, which each button leads back to.
  var isOnQueue = false

  var content: HTML { "\(each: marks, mark)\(reschedule)\(cancel)" }

  /// The statuses that may be set now. A patient who has arrived can no longer stay away.
  private var marks: [Appointment.Status] {
    [.arrived, .fulfilled, .noshow, .booked].filter {
      booking.status.next.contains($0) && booking.obstacle(to: $0, at: context.now) == nil
        && !(booking.status == .arrived && $0 == .noshow)
    }
  }

  private func mark(_ status: Appointment.Status) -> HTML {
    let path: Path = "/appointments/\(booking.id)/\(status.rawValue)"
    return context.button(
      Text("reception.\(status.rawValue)"), posts: path,
      with: ["sequence": String(booking.sequence), "page": isOnQueue ? "queue" : "day"],
      style: status == .booked ? [.plain, .small] : [.secondary, .small], of: name)
  }

  /// The reception's link to reschedule, until the end of the appointment's day, because a patient
  /// who is late may come at a later time. A patient who was called is being seen already.
  private var reschedule: HTML? {
    let today = LocalDateTime(context.now, in: booking.zone).date
    guard reason == .reception, booking.status.isOpen, !booking.isCalled,
      booking.local.date >= today
    else { return nil }
    return context.button(
      "appointment.move", to: "/appointments/\(booking.id)/reschedule", style: [.plain, .small],
      of: name)
  }

  private var cancel: HTML? {
    guard reason == .reception, booking.status.next.contains(.cancelled) else { return nil }
    return context.button(
      "reception.withdraw", to: "/appointments/\(booking.id)/withdraw",
      style: [.plain, .danger, .small], of: name)
  }
}
