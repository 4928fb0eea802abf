import PolyclinicCore

/// What the doctor and the desk can do with a booking.
struct BookingButtons {
  let booking: Booking
  /// Whose work they belong to.
  let reason: AccessReason
  /// The patient's, for those who cannot see which patient the buttons stand beside.
  let name: String
  let context: Context

  var content: HTML { "\(each: marks, mark)\(move)\(withdraw)" }

  private var marks: [Appointment.Status] {
    [.arrived, .fulfilled, .noshow, .booked].filter {
      booking.status.next.contains($0) && booking.obstacle(to: $0, at: context.now) == nil
    }
  }

  private func mark(_ status: Appointment.Status) -> HTML {
    let look: HTML = status == .booked ? "plain" : "secondary"
    let path: Path = "/appointments/\(booking.id)/\(status.rawValue)"
    return """
      <form method="post" action="\(path)" class="inline">\(context.hiddenFields())\
      <input type="hidden" name="date" value="\(booking.local.date.description)">\
      <input type="hidden" name="sequence" value="\(booking.sequence)">\
      <button class="button \(look) small">\(context.text(Text("desk.\(status.rawValue)")))\
      <span class="hidden-text"> \(name)</span></button></form>
      """
  }

  /// While it is still to come: who has missed it is booked anew.
  private var move: HTML? {
    guard reason == .desk, booking.status == .booked, booking.span.lowerBound > context.now else {
      return nil
    }
    return """
      <a class="button plain small" href="/appointments/\(booking.id)/edit">\
      \(context.text("appointment.move"))<span class="hidden-text"> \(name)</span></a>
      """
  }

  private var withdraw: HTML? {
    guard reason == .desk, booking.status.next.contains(.cancelled) else { return nil }
    return """
      <a class="button plain danger small" href="/appointments/\(booking.id)/withdraw">\
      \(context.text("desk.withdraw"))<span class="hidden-text"> \(name)</span></a>
      """
  }
}
