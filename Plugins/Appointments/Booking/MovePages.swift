import PolyclinicCore

/// What somebody says who cancels a booking.
struct Cancellation: Sendable {
  var reason = ""

  /// For the patient.
  static let form = form(hint: nil)
  /// For who cancels it for the patient, who reads the reason.
  static let formOfStaff = form(hint: "desk.reason.hint")

  private static func form(hint: Text?) -> Form<Cancellation> {
    Form(Cancellation(), .lines(\.reason, "reason", limit: 500, autocomplete: "off", hint: hint))
  }
}

/// Moving and cancelling a booking, by the patient.
extension AppointmentsModule {
  /// The visitor's own booking that `{id}` names; nil when it is none.
  func own(_ context: Context, on connection: Connection) throws -> Booking? {
    try Booking.find(context.id(), of: context.keys.person, on: connection)
  }

  /// Throws ``Refusal/conflict(_:)`` when the patient can change nothing any more.
  func checkStillOpen(
    _ booking: Booking, _ context: Context, on connection: Connection
  ) throws {
    if let reason = try reason(againstChanging: booking, context, on: connection) {
      throw Refusal.conflict(reason)
    }
  }

  /// Why the patient can change nothing any more; nil while something can be changed.
  func reason(
    againstChanging booking: Booking, _ context: Context, on connection: Connection
  ) throws -> Text? {
    guard booking.status == .booked, booking.span.lowerBound > context.now else {
      return booking.status == .cancelled ? "cancel.done-before" : "cancel.over"
    }
    let hours = try context.portal.settings.integer("cancel_until_hours")
    if context.now + .hours(hours) <= booking.span.lowerBound { return nil }
    let clinic = try Practice.find(booking.doctor, on: connection)?.clinic
    return BookingWords.tooLate(by: hours, clinic)
  }

  /// As it stands now; throws ``Refusal/conflict(_:)`` when it has changed since the page was shown.
  func unchanged(_ context: Context, on connection: Connection) throws -> Booking {
    guard let booking = try own(context, on: connection) else { throw Refusal.notFound }
    try checkStillOpen(booking, context, on: connection)
    try checkUnchanged(booking, context)
    return booking
  }

  /// Throws ``Refusal/conflict(_:)`` when it has changed since the page was shown.
  func checkUnchanged(_ booking: Booking, _ context: Context) throws {
    let shown = context.request.fields["sequence"]
    guard shown.isEmpty || shown == String(booking.sequence) else {
      throw Refusal.conflict("move.changed")
    }
  }

  func startMove(_ context: Context) throws -> BookingRequest {
    try context.database.read { connection in
      guard let booking = try own(context, on: connection),
        let practice = try Practice.find(booking.doctor, on: connection)
      else { throw Refusal.notFound }
      var request = BookingRequest(
        practice, nil, purpose: try booking.details(by: context.keys).purpose)
      if context.request.method == .get { try checkStillOpen(booking, context, on: connection) }
      request.chooseTime(chosen(context))
      return request
    }
  }

  func move(
    _ request: BookingRequest, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let keys = try context.keys
    let booking = try unchanged(context, on: connection)
    let practice = try request.practice(on: connection)
    guard practice.doctor.id == booking.doctor else {
      throw Refusal.invalid("doctor", "booking.error.foreign-doctor")
    }
    let time = try chosenTime(request, at: practice, context, on: connection)
    let isMoved = time.span != booking.span
    if isMoved {
      try checkOverlap(at: time, besides: booking.id, context, on: connection)
      let actor = AppointmentEvent.Actor(try context.signedIn(), as: .patient)
      try asConflict {
        try booking.move(to: time, by: actor, sealedBy: keys, at: context.now, on: connection)
      }
      try Wish.tell(ofReleaseOf: booking, context.portal, on: connection)
    }
    var details = try booking.details(by: keys)
    if details.purpose != request.purpose {
      details.purpose = request.purpose
      try Booking.write(details, to: booking.id, by: keys, on: connection)
    }
    return isMoved ? "\(booking.id)?done=moved" : "\(booking.id)"
  }

  func aboutMove(_ context: Context) throws -> HTML? {
    try context.database.read { connection in
      guard let booking = try own(context, on: connection) else { return nil }
      let before = BookingWords.span(booking.span, in: booking.zone, context)
      let asked = try asked(context, on: connection)
      let about =
        try asked.map { try aboutTime($1, $0, besides: booking, context, on: connection) }
        ?? wayToFreeTimes(context, on: connection)
      return """
        \(about)<p>\(context.text("move.before", ["time": before]))</p>\
        \(BookingWords.zoneNote(booking.zone, at: booking.span.lowerBound, context))\
        <input type="hidden" name="sequence" value="\(booking.sequence)">
        """
    }
  }

  func moveInstead(_ context: Context) throws -> [Choice] {
    try context.database.read { connection in
      guard let booking = try own(context, on: connection),
        try reason(againstChanging: booking, context, on: connection) == nil
      else { return [] }
      let keys = try context.keys
      return try instead(besides: booking, context, on: connection) {
        try Overlap.find($0.span, besides: booking.id, by: keys, on: connection) != nil
      }
    }
  }

  func cancelQuestion(_ context: Context) throws -> HTML {
    try context.database.read { connection in
      guard let booking = try own(context, on: connection) else { throw Refusal.notFound }
      if context.request.method == .get { try checkStillOpen(booking, context, on: connection) }
      let doctor = try DoctorName.find(
        booking.doctor, by: context.portal.keys, on: connection)
      let values = [
        "doctor": doctor ?? "", "time": BookingWords.span(booking.span, in: booking.zone, context),
      ]
      return """
        <p>\(context.text("cancel.question", values))</p>\
        <input type="hidden" name="sequence" value="\(booking.sequence)">
        """
    }
  }

  func cancel(
    _ cancellation: Cancellation, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let booking = try unchanged(context, on: connection)
    let actor = AppointmentEvent.Actor(try context.signedIn(), as: .patient)
    try booking.become(
      .cancelled, by: actor, reason: cancellation.reason, sealedBy: context.keys, at: context.now,
      on: connection)
    try Wish.tell(ofReleaseOf: booking, context.portal, on: connection)
    return "\(booking.id)?done=cancelled"
  }
}
