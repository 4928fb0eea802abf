import PolyclinicCore

/// The pages for patients to reschedule a booking.
enum ReschedulePages {
  /// Chooses the page at `{id}/edit` for a patient's own booking: the times, or the form.
  static func choose(_ context: Context) throws -> Route {
    let form = Route.form(
      "{id}/edit", BookingRequest.form, title: "move.title", cancel: "{id}", submit: "move.submit",
      subject: OwnBooking.find, start: start, about: about, instead: alternatives,
      save: reschedule)
    if context.request.method == .post { return form }
    if let refusal = try OwnBooking.refusal("move.refused", at: "{id}/edit", context) {
      return refusal
    }
    let gone = try AnnouncedTime.page(
      changing: context.id(), context, times: showTimes(besides:_:))
    return gone
      ?? FreeTimePages.step(
        context.request.query, times: { try showTimes(besides: nil, $0) }, last: form)
  }

  private static func showTimes(
    besides taken: Slot?, _ context: Context
  ) throws -> Response {
    let booking = try reschedulable(context)
    return try FreeTimePages(
      base: "/appointments/\(booking.id)/edit", back: "\(booking.id)", title: "move.times",
      answer: EarlierTimeAlertPages.answer(booking.doctor, context), taken: taken,
      above: before(booking, context),
      below: EarlierTimeAlertPages.offer(booking.doctor, changing: booking.id, context)
    ).show(booking.doctor, context)
  }

  /// Returns the notice of the time that the appointment has now, and keeps until another one is
  /// confirmed.
  static func before(_ booking: Booking, _ context: Context) -> HTML {
    let before = BookingText.span(booking.span, in: booking.zone, context)
    return """
      \(HTML.notice(.remark, "<p>\(context.text("move.before", ["time": before]))</p>"))\
      \(BookingText.zoneNote(booking.zone, at: booking.span.lowerBound, context))
      """
  }

  private static func reschedulable(_ context: Context) throws -> Booking {
    let booking = try OwnBooking.find(context)
    try OwnBooking.checkStillOpen(booking, context)
    return booking
  }

  static func start(_ booking: Booking, _ context: Context) throws -> BookingRequest {
    guard let placement = try DoctorPlacement.find(booking.doctor, in: context) else {
      throw Refusal.notFound
    }
    var request = BookingRequest(
      placement, nil, purpose: try booking.details(by: context.keys).purpose)
    if context.request.method == .get {
      try OwnBooking.checkStillOpen(booking, context)
    }
    request.chooseTime(RequestedTime.fields(context))
    return request
  }

  static func reschedule(
    _ request: BookingRequest, _ booking: Booking, _ context: Context
  ) throws -> Path {
    let keys = try context.keys
    try OwnBooking.checkUnchanged(booking, context)
    let placement = try request.placement(in: context)
    guard placement.doctor.id == booking.doctor else {
      throw Refusal.invalid("doctor", "booking.error.foreign-doctor")
    }
    let time = try RequestedTime.time(request, at: placement, context)
    let isMoved = time.span != booking.span
    if isMoved {
      try BookingPages.checkOverlap(at: time, besides: booking.id, context)
      let actor = HistoryEntry.Actor(try context.signedIn(), as: .patient)
      try ClaimedTime.orConflict(context) {
        try booking.reschedule(to: time, by: actor, sealedBy: keys, in: context)
      }
      try EarlierTimeAlert.send(forReleaseOf: booking, context.portal, in: context)
    }
    var details = try booking.details(by: keys)
    if details.purpose != request.purpose {
      details.purpose = request.purpose
      try Booking.write(details, to: booking.id, in: context)
    }
    return isMoved ? "\(booking.id)?done=moved" : "\(booking.id)"
  }

  static func about(_ booking: Booking, _ context: Context) throws -> HTML? {
    let asked = try RequestedTime.find(context)
    let about =
      try asked.map {
        """
        \(try BookingPages.aboutTime($1, $0, besides: booking, context))\
        \(before(booking, context))\
        \(try BookingSummary(placement: $0, time: $1, context: context).content(changing: .time))
        """ as HTML
      }
        ?? """
        \(RequestedTime.linkToFreeTimes(context))\(before(booking, context))
        """
    return """
      \(about)\
      <input type="hidden" name="sequence" value="\(booking.sequence)">
      """
  }

  static func alternatives(_ booking: Booking, _ context: Context) throws -> [Choice] {
    guard try OwnBooking.reason(againstChanging: booking, context) == nil else {
      return []
    }
    return try AlternativeTimes.choices(besides: booking, context) {
      try Overlap.find($0.span, besides: booking.id, in: context) != nil
    }
  }
}
