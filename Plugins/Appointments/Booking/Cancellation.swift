import PolyclinicCore

/// The form that cancels a booking.
struct Cancellation: Sendable {
  var reason = ""

  /// The patient's form.
  static let form = form(hint: nil)
  /// The form for staff, with a hint that the patient reads the reason.
  static let formOfStaff = form(hint: "reception.reason.hint")

  private static func form(hint: Text?) -> Form<Cancellation> {
    Form(Cancellation(), .lines(\.reason, "reason", limit: 500, autocomplete: "off", hint: hint))
  }
}

extension Booking {
  /// False if the booking has changed since the page was shown from which the request comes.
  func isAsShown(_ context: Context) -> Bool {
    let shown = context.request.fields["sequence"]
    return shown.isEmpty || shown == String(sequence)
  }

  /// Throws ``Refusal/conflict(_:)`` if the booking has changed since the page was shown.
  func checkUnchanged(_ context: Context) throws {
    guard isAsShown(context) else { throw Refusal.conflict("move.changed") }
  }

  /// Returns the visitor's own booking with the ID `{id}`. Throws ``Refusal/notFound`` if there is
  /// none.
  static func own(_ context: Context) throws -> Booking {
    let booking = try find(context.id(), of: context.keys.person, in: context)
    guard let booking else { throw Refusal.notFound }
    return booking
  }

  /// Returns the reason why the patient cannot change the booking any more; nil if the patient
  /// still can.
  func reasonAgainstChange(_ context: Context) throws -> Text? {
    if isCalled { return "cancel.called" }
    guard status == .booked, span.lowerBound > context.now else {
      return status == .cancelled ? "cancel.done-before" : "cancel.over"
    }
    let hours = try context.portal.settings.integer("cancel_until_hours")
    if context.now + .hours(hours) <= span.lowerBound { return nil }
    return BookingText.tooLate(
      by: hours, try DoctorPlacement.find(doctor, in: context)?.clinic)
  }

  /// Returns the page that says why the patient cannot change the booking any more; nil if the
  /// patient still can.
  func refusal(_ title: Text, _ context: Context) throws -> Response? {
    try reasonAgainstChange(context).map {
      .page(Page(title, context.notice(.problem, $0), back: "\(id)"), status: 409)
    }
  }
}
