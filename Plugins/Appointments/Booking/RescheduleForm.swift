import PolyclinicCore

/// The form with which a patient moves a booking: the times, then the form.
struct RescheduleForm: RoutedForm {
  static let address: Address<ID<Appointment>> = "/appointments/{id}/edit"
  static let title: Text = "move.title"
  static let form = BookingRequest.moveForm
  static let submit: Text = "move.submit"
  static let cancel = Appointment.page.pattern
  static var route: Route {
    Route(Self.self).titled("times.title").keeping("doctor", "date", "time", "offset")
      .leadingBack(to: cancel)
  }

  private let id: ID<Appointment>
  /// The booking with this ID; nil for an appointment elsewhere.
  private let booking: Booking?
  /// The attempt to move the visitor's own booking; nil for an appointment that is changed at
  /// another address.
  private let attempt: BookingAttempt?
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    id = try context.id()
    let booking = try Booking.find(id, in: context)
    let person = try context.keys.person
    self.booking = booking
    attempt =
      booking?.patient == person ? BookingAttempt(context, for: person, moving: booking) : nil
  }

  /// The attempt and its booking; throws ``Refusal/notFound`` for an appointment that is changed at
  /// another address.
  private var own: (attempt: BookingAttempt, booking: Booking) {
    get throws {
      guard let attempt, let booking else { throw Refusal.notFound }
      return (attempt, booking)
    }
  }

  /// The page in place of the form: the reason against any change, the times before one is chosen,
  /// and again if the time of an alert is taken.
  var before: Response? {
    get throws {
      guard let attempt, let booking else { return try elsewhere }
      if let refusal = try booking.refusal("move.refused", context) { return refusal }
      let query = context.request.query
      if !query.hasTime { return try times(of: booking, besides: nil) }
      guard query.contains(EarlierTimeAlert.field),
        let slot = try attempt.requestedIfAny?.slot
      else { return nil }
      if let own = try attempt.own { return .redirect(to: own.path) }
      return try attempt.isTaken ? times(of: booking, besides: slot) : nil
    }
  }

  /// Leads to the address at which an appointment elsewhere, or that of a patient, is changed.
  private var elsewhere: Response {
    get throws {
      let page: Path
      if let booking {
        _ = try Booking.Staff.of(booking, context)
        page = StaffReschedule.path(id)
      } else {
        _ = try PersonalAppointment.load(context)
        page = EditPersonalAppointment.path(ID(id.rawValue))
      }
      return .redirect(to: page.query(context.request.query))
    }
  }

  private func times(of booking: Booking, besides taken: Slot?) throws -> Response {
    try FreeTimePages(
      base: Self.path(id), back: booking.path, title: "move.times", start: booking.local.date,
      taken: taken,
      above: "\(try booking.heading(context))\(booking.present(context))",
      below: EarlierTimeAlertList.offer(booking.doctor, changing: id, context)
    ).show(booking.doctor, context)
  }

  var start: BookingRequest {
    get throws {
      let own = try own
      var start = try own.attempt.start(
        purpose: own.booking.details(shownIn: context).purpose)
      if !context.mayReadRecords { start.asks = BookingRequest.keepsPurpose }
      return start
    }
  }

  var about: HTML? {
    get throws {
      guard let attempt, let booking else { return nil }
      let requested = try attempt.requestedIfAny
      let summary = try requested.map {
        try BookingSummary($0, context).content(changing: .time)
      }
      return """
        \(summary)\(try booking.heading(context))\
        \(try requested == nil ? attempt.linkToFreeTimes : attempt.notice)\
        \(booking.present(context))\
        <input type="hidden" name="sequence" value="\(booking.sequence)">
        """
    }
  }

  var cancelLabel: Text {
    get throws {
      guard let attempt, let booking else { return "form.cancel" }
      return booking.keepLabel(besides: try attempt.requestedIfAny?.slot, context)
    }
  }

  var instead: [Choice] { get throws { try attempt?.choices ?? [] } }

  func save(_ request: BookingRequest, in context: Context) throws -> Redirect {
    let isMoved = try own.attempt.moveOwn(saying: request.purpose)
    let next = Redirect(to: Appointment.page.path(id))
    return isMoved ? next.saying("appointment.done.moved") : next
  }
}

extension Booking {
  /// Returns the label of the button that keeps the present time: its day, or its hour if the other
  /// time is on the same day.
  func keepLabel(besides other: Slot?, _ context: Context) -> Text {
    let day = local.date
    let isSameDay = other?.local.date == day
    let shown =
      isSameDay ? context.formats.time(local) : context.formats.monthDay(day.monthDay)
    return Text("move.keep", ["time": shown])
  }

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
