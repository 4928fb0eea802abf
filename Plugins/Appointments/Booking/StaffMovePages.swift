import PolyclinicCore

/// To which time a booking is moved for the patient, and why.
struct StaffMove: Sendable {
  var time = BookingRequest()
  /// What the patient reads of it; may be empty.
  var reason = ""

  static let form = Form(
    StaffMove(), .part(\.time, BookingRequest.timeForm),
    .lines(\.reason, "reason", limit: 500, autocomplete: "off", hint: "desk.reason.hint"))
}

/// Moving a booking for the patient, by the doctor or the desk: also later than the patient may.
extension AppointmentsModule {
  func showMonthForPatient(_ context: Context) throws -> Response {
    let booking = try movableForPatient(context)
    return try month(
      of: booking.doctor, at: "/appointments/\(booking.id)/edit", back: "\(booking.id)", by: .desk,
      context)
  }

  func showDayForPatient(_ context: Context) throws -> Response {
    let booking = try movableForPatient(context)
    return try day(
      of: booking.doctor, at: "/appointments/\(booking.id)/edit", back: "\(booking.id)", context)
  }

  private func movableForPatient(_ context: Context) throws -> Booking {
    let (booking, _) = try context.database.read { try staffed(context, on: $0) }
    guard booking.status.isOpen else { throw Refusal.conflict("cancel.over") }
    return booking
  }

  func startStaffMove(_ context: Context) throws -> StaffMove {
    try context.database.read { connection in
      let (booking, _) = try staffed(context, on: connection)
      guard let practice = try Practice.find(booking.doctor, on: connection) else {
        throw Refusal.notFound
      }
      guard context.request.method == .post || booking.status.isOpen else {
        throw Refusal.conflict("cancel.over")
      }
      var move = StaffMove(time: BookingRequest(practice, nil))
      move.time.chooseTime(chosen(context))
      return move
    }
  }

  /// Said in a transaction that writes: it names the patient, who reads of the look.
  func aboutStaffMove(_ context: Context) throws -> HTML? {
    try context.database.write { connection in
      let (booking, staff) = try staffed(context, on: connection)
      let patient = try patient(of: booking, for: staff, context, on: connection)
      let notice = try noticeForStaff(besides: booking, context, on: connection)
      let before = BookingWords.span(booking.span, in: booking.zone, context)
      return """
        \(notice)\(patient?.heading)<p>\(context.text("move.before", ["time": before]))</p>\
        \(BookingWords.zoneNote(booking.zone, at: booking.span.lowerBound, context))\
        \(patient?.telling("desk.move.told", context))\
        <input type="hidden" name="sequence" value="\(booking.sequence)">
        """
    }
  }

  /// In spite of another appointment of the patient then, or another time.
  func staffMoveInstead(_ context: Context) throws -> [Choice] {
    try context.database.read { connection in
      let (booking, _) = try staffed(context, on: connection)
      guard booking.status.isOpen else { return [] }
      return try instead(besides: booking, context, on: connection) {
        try Booking.overlapping(
          $0.span, of: booking.patient, besides: booking.id, on: connection) != nil
      }
    }
  }

  func moveForPatient(
    _ move: StaffMove, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let (booking, staff) = try staffed(context, on: connection)
    try checkUnchanged(booking, context)
    let practice = try move.time.practice(on: connection)
    guard practice.doctor.id == booking.doctor else {
      throw Refusal.invalid("doctor", "booking.error.foreign-doctor")
    }
    let time = try chosenTime(move.time, at: practice, context, on: connection)
    guard booking.status.isOpen else { throw Refusal.conflict("desk.changed") }
    if time.span == booking.span { throw Refusal.invalid("time", "move.same") }
    try checkOverlap(
      at: time, of: booking.patient, besides: booking.id, context, on: connection)
    let moved = try asConflict {
      try booking.move(to: time, by: staff, reason: move.reason, context, on: connection)
    }
    return moved.changedDay(for: staff.reason)
  }
}
