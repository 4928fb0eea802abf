import PolyclinicCore

/// The pages for patients to move a booking, at `{id}/edit`: the times, then the form.
enum ReschedulePages {
  static let route = Route.form(
    "{id}/edit", BookingRequest.form, title: "move.title", cancel: "{id}", submit: "move.submit",
    subject: attempt, before: step, start: start, about: about,
    instead: { attempt, _ in try attempt?.choices ?? [] }, save: save
  ).keeping("doctor", "date", "time", "offset").leadingBack(to: "{id}")

  /// Returns the attempt to move the visitor's own booking; nil for an appointment that is changed
  /// at another address.
  @Sendable
  private static func attempt(_ context: Context) throws -> BookingAttempt? {
    let booking = try Booking.find(context.id(), in: context)
    guard let booking, booking.patient == (try context.keys.person) else { return nil }
    return BookingAttempt(context, for: booking.patient, moving: booking)
  }

  /// Returns the page in place of the form: the reason against any change, the times before one is
  /// chosen, and again if the time of an alert is taken.
  private static func step(
    _ attempt: BookingAttempt?, _ context: Context
  ) throws -> Response? {
    guard let attempt, let booking = attempt.moved else { return try elsewhere(context) }
    if let refusal = try booking.refusal("move.refused", context) { return refusal }
    let query = context.request.query
    if !query.hasTime { return try showTimes(of: booking, besides: nil, context) }
    guard query.contains(EarlierTimeAlert.field), let slot = try attempt.requestedIfAny?.slot else {
      return nil
    }
    if let own = try attempt.own { return .redirect(to: "\(own.id)") }
    return try attempt.isTaken ? showTimes(of: booking, besides: slot, context) : nil
  }

  /// Leads to the address at which an appointment elsewhere, or that of a patient, is changed.
  private static func elsewhere(_ context: Context) throws -> Response {
    let id: ID<Appointment> = try context.id()
    let isBooking = try Booking.find(id, in: context) != nil
    if isBooking {
      _ = try Booking.findForStaff(context)
    } else {
      _ = try PersonalAppointment.records.load(context)
    }
    let page: Path = isBooking ? "\(id)/reschedule" : "personal/\(id)"
    return .redirect(to: page.query(context.request.query))
  }

  private static func showTimes(
    of booking: Booking, besides taken: Slot?, _ context: Context
  ) throws -> Response {
    try FreeTimePages(
      base: "/appointments/\(booking.id)/edit", back: "\(booking.id)", title: "move.times",
      taken: taken, above: booking.present(context),
      below: EarlierTimeAlertPages.offer(booking.doctor, changing: booking.id, context)
    ).show(booking.doctor, context)
  }

  private static func start(
    _ attempt: BookingAttempt?, _ context: Context
  ) throws -> BookingRequest {
    guard let attempt, let booking = attempt.moved else { throw Refusal.notFound }
    return try attempt.start(purpose: booking.details(by: context.keys).purpose)
  }

  private static func save(
    _ request: BookingRequest, _ attempt: BookingAttempt?, _ context: Context
  ) throws -> Redirect {
    guard let attempt, let booking = attempt.moved else { throw Refusal.notFound }
    let isMoved = try attempt.moveOwn(saying: request.purpose)
    let next = Redirect(to: "\(booking.id)")
    return isMoved ? next.saying("appointment.done.moved") : next
  }

  private static func about(_ attempt: BookingAttempt?, _ context: Context) throws -> HTML? {
    guard let attempt, let booking = attempt.moved else { return nil }
    let requested = try attempt.requestedIfAny
    let summary = try requested.map { try BookingSummary($0, context).content(changing: .time) }
    return """
      \(try requested == nil ? attempt.linkToFreeTimes : attempt.notice)\(booking.present(context))\
      \(summary)<input type="hidden" name="sequence" value="\(booking.sequence)">
      """
  }
}

extension BookingAttempt {
  /// Moves the patient's own booking and stores the purpose. Returns true if it has another time
  /// than before. Throws the same errors as ``move(reason:)``.
  func moveOwn(saying purpose: String) throws -> Bool {
    guard let moved else { throw Refusal.notFound }
    let isMoved = try move() != nil
    var details = try moved.details(by: context.keys)
    if details.purpose != purpose {
      details.purpose = purpose
      try Booking.write(details, to: moved.id, in: context)
    }
    return isMoved
  }
}

extension Booking {
  /// Returns the notice of the time that the appointment has now, and keeps until another one is
  /// confirmed.
  func present(_ context: Context) -> HTML {
    let time = BookingText.span(span, in: zone, context)
    return """
      \(HTML.notice(.remark, "<p>\(context.text("move.before", ["time": time]))</p>"))\
      \(BookingText.zoneNote(zone, at: span.lowerBound, context))
      """
  }
}
