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
  /// True in the list of a day. A phone leaves out the buttons to reschedule and to cancel there,
  /// because they would take a line for each patient, and the page of the appointment has them.
  var isInList = false

  var content: HTML {
    let changes = [reschedule, cancel].compactMap(\.self)
    if changes.isEmpty || !isInList { return "\(each: marks, mark)\(changes)" }
    return "\(each: marks, mark)<div class=\"changes\">\(changes)</div>"
  }

  /// The statuses that may be set now. A patient who has arrived can no longer stay away.
  private var marks: [Appointment.Status] {
    [.arrived, .fulfilled, .noshow, .booked].filter {
      booking.status.next.contains($0) && booking.obstacle(to: $0, at: context.now) == nil
        && !(booking.status == .arrived && $0 == .noshow)
    }
  }

  private func mark(_ status: Appointment.Status) -> HTML {
    context.button(
      Text("reception.\(status.rawValue)"),
      posts: Self.path(of: status, below: StaffAppointmentPage.path(booking.id)),
      with: ["sequence": String(booking.sequence), "page": isOnQueue ? "queue" : "day"],
      style: status == .booked ? [.plain, .small] : [.secondary, .small], of: name)
  }

  /// The reception's link to reschedule, until the end of the appointment's day, because a patient
  /// who is late may come at a later time. A patient who was called is being seen already.
  private var reschedule: HTML? {
    guard reason == .reception, booking.status.isOpen, !booking.isCalled,
      booking.local.date >= LocalDateTime(context.now, in: booking.zone).date
    else { return nil }
    return context.button(
      "appointment.move", to: StaffReschedule.path(booking.id), style: [.plain, .small], of: name)
  }

  private var cancel: HTML? {
    guard reason == .reception, booking.status.next.contains(.cancelled) else { return nil }
    return context.button(
      "reception.withdraw", to: StaffCancellation.path(booking.id),
      style: [.plain, .danger, .small], of: name)
  }
}

/// The change of the status.
extension BookingButtons {
  static var routes: [Route] {
    [Appointment.Status.arrived, .fulfilled, .noshow, .booked].map { status in
      let page = StaffAppointmentPage.address.pattern
      return .post(path(of: status, below: page), save: { try set(status, $0) })
        .leadingBack(to: page)
    }
  }

  private static func path(of status: Appointment.Status, below page: Path) -> Path {
    "\(page)/\(status.rawValue)"
  }

  /// Sets the status that the doctor or the reception chose: arrived, fulfilled or no-show. Booked
  /// takes back the latest status or the call.
  private static func set(_ status: Appointment.Status, _ context: Context) throws -> Path {
    let (booking, staff) = try Booking.findForStaff(context)
    try booking.checkUnchanged(context)
    if let obstacle = booking.obstacle(to: status, at: context.now) {
      throw Refusal.conflict(obstacle)
    }
    do {
      if status == .booked {
        try booking.undoStatus(by: staff, context)
      } else {
        try booking.setStatus(status, by: staff, context)
      }
    } catch is ClaimedTime.Taken {
      throw Refusal.conflict("reception.given-away")
    }
    if status == .fulfilled {
      try EarlierTimeAlert(person: booking.patient, doctor: booking.doctor)
        .unsubscribe(in: context)
    }
    if staff.reason == .care, context.request.fields["page"] == "queue" {
      return DoctorQueuePage.path
    }
    return booking.changedDay(for: staff.reason, isUndone: status == .booked)
  }
}
