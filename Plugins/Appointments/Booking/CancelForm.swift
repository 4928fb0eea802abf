import PolyclinicCore

/// The reason for which a booking is cancelled.
struct Cancellation: Sendable {
  var reason = ""

  /// The patient's form, with a hint that the reception reads the reason.
  static let form = form(hint: "cancel.reason.hint")
  /// The form for staff, with a hint that the patient reads the reason.
  static let formOfStaff = form(hint: "reception.reason.hint")

  private static func form(hint: Text) -> Form<Cancellation> {
    Form(Cancellation(), .lines(\.reason, "reason", limit: 500, autocomplete: "off", hint: hint))
  }
}

/// The question before a patient's own booking is cancelled.
struct CancelForm: RoutedForm {
  static let address: Address<ID<Appointment>> = "/appointments/{id}/cancel"
  static let title: Text = "cancel.title"
  static let form = Cancellation.form
  static let submit: Text = "cancel.yes"
  static let cancel = Appointment.page.pattern
  static let isQuestion = true
  static var route: Route {
    Route(Self.self).saying("appointment.done.cancelled").leadingBack(to: cancel)
  }

  private let booking: Booking
  private let context: Context

  init(_ context: Context) throws {
    self.context = context
    booking = try .own(context)
  }

  var before: Response? { get throws { try booking.refusal("cancel.refused", context) } }

  var about: HTML? {
    get throws { "\(try booking.heading(context))\(try booking.cancelQuestion(context))" }
  }

  var cancelLabel: Text { "cancel.no" }

  func save(_ cancellation: Cancellation, in context: Context) throws -> Redirect {
    try booking.cancelOwn(reason: cancellation.reason, context)
    return Redirect(to: booking.path)
  }
}

extension Booking {
  /// Returns the question whether to cancel it, a notice below it, and the hidden field with the
  /// state that was shown.
  func cancelQuestion(above notice: HTML? = nil, _ context: Context) throws -> HTML {
    let values = [
      "doctor": try DoctorName.find(doctor, in: context)?.shown(context) ?? "",
      "time": BookingText.span(span, in: zone, context),
    ]
    return """
      <p>\(context.text("cancel.question", values))</p>\(notice)\
      <input type="hidden" name="sequence" value="\(sequence)">
      """
  }
}

/// The question with which a patient with an appointment, whom the doctor has called, says that
/// they cannot come.
struct DeclineForm: RoutedForm {
  static let address: Address<ID<Appointment>> = "/appointments/{id}/decline"
  static let title: Text = "decline.title"
  static let submit: Text = "decline.yes"
  static let cancel = Appointment.page.pattern
  static let isQuestion = true
  static var route: Route { Route(Self.self).leadingBack(to: cancel) }

  private let booking: Booking
  private let context: Context

  /// Throws ``Refusal/conflict(_:)`` if there is no call to decline.
  init(_ context: Context) throws {
    self.context = context
    booking = try .own(context)
    try booking.requireCallToDecline(in: context)
  }

  var about: HTML? {
    get throws {
      let doctor = try DoctorName.find(booking.doctor, in: context)?.shown(context) ?? ""
      return """
        \(try booking.heading(context))\
        <p>\(context.text("booking.called", ["doctor": doctor]))</p>\
        <p>\(context.text("decline.question"))</p>
        """
    }
  }

  func save(_: Void, in context: Context) throws -> Redirect {
    try booking.decline(context)
    return Redirect(to: booking.path)
  }
}
