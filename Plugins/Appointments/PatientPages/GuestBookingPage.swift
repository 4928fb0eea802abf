import PolyclinicCore

/// The last page of a booking for a visitor who has not signed in: the chosen time, and the ways to
/// an account, which lead back to it.
enum GuestBookingPage {
  static func show(_ context: Context) throws -> Response {
    let summary = try summary(context)
    return .page(
      Page("booking.title", summary ?? HTML(), back: BookingRequest.times(context.request.query)))
  }

  /// Returns the chosen time, or why it cannot be booked.
  private static func summary(_ context: Context) throws -> HTML? {
    guard let id = ID<Doctor>(context.request.query["doctor"]),
      try DoctorPlacement.find(id, in: context) != nil
    else { throw Refusal.notFound }
    guard let (placement, time) = try RequestedTime.find(context) else {
      return try RequestedTime.linkToFreeTimes(context)
    }
    if let taken = try RequestedTime.takenNotice(time, placement, besides: nil, context) {
      return taken
    }
    let summary = BookingSummary(placement: placement, time: time, context: context)
    return "\(try summary.content(changing: .both))\(ways(to: time, of: placement, context))"
  }

  private static func ways(
    to time: Slot, of placement: DoctorPlacement, _ context: Context
  ) -> HTML {
    let next: Fields = Fields(["next": time.confirmation(with: placement.doctor.id).description])
    return """
      <section class="panel"><h2>\(context.text("booking.account"))</h2>\
      <p>\(context.text(
        context.portal.sendsMail ? "booking.account.hint" : "booking.account.hint.portal"))</p>\(actions:
        context.button("booking.sign-in", to: Path("/login").query(next)),
        context.button(
          "booking.register", to: Path("/register").query(next), style: .secondary))</section>
      """
  }
}
