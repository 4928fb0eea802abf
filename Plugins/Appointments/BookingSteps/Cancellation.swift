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
  /// Throws ``Refusal/conflict(_:)`` if the booking has changed since the page was shown.
  func checkUnchanged(_ context: Context) throws {
    let shown = context.request.fields["sequence"]
    guard shown.isEmpty || shown == String(sequence) else {
      throw Refusal.conflict("move.changed")
    }
  }
}
