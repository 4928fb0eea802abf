import PolyclinicCore

extension AppointmentsModule {
  /// One's own appointment, or one of a patient for whom the visitor works.
  func show(_ context: Context) throws -> Response {
    let keys = try context.keys
    let booking = try context.database.read { try Booking.find(context.id(), on: $0) }
    guard let booking else { return try showPersonal(context) }
    if booking.patient != keys.person { return try showToStaff(context) }
    return try context.database.read { connection in
      guard let practice = try Practice.find(booking.doctor, on: connection) else {
        throw Refusal.notFound
      }
      let details = AppointmentDetails(
        booking: booking, practice: practice, purpose: try booking.details(by: keys).purpose,
        events: try AppointmentEvent.all(of: booking.id, by: keys, on: connection),
        context: context)
      return .page(try details.page)
    }
  }
}

/// The page of an appointment with a doctor.
struct AppointmentDetails {
  let booking: Booking
  let practice: Practice
  let purpose: String
  let events: [AppointmentEvent]
  let context: Context

  var page: Page {
    get throws {
      let facts = AppointmentFacts(booking: booking, practice: practice, context: context)
      let list = facts.list([
        ("appointment.when", facts.when), ("appointment.status", facts.status),
        ("booking.doctor", try facts.doctor), ("booking.department", facts.specialization),
        ("booking.clinic", facts.clinic),
        ("appointment.phone", AppointmentFacts.phone(practice.clinic.phone)),
        ("field.purpose", AppointmentFacts.purpose(purpose)),
      ])
      let history = AppointmentHistory(
        events: events, zone: booking.zone, reader: .patient, context: context)
      return Page(
        "appointment.title",
        """
        \(done)\(list)\(try actions)\
        \(context.calendarFileLink(of: booking.id.rawValue))\(history.content)
        """,
        back: "")
    }
  }

  /// What has just happened to it.
  private var done: HTML? {
    let done = context.request.query["done"]
    guard ["booked", "moved", "cancelled"].contains(done) else { return nil }
    let isTrue = (done == "cancelled") == (booking.status == .cancelled)
    guard isTrue else { return nil }
    return """
      <div class="notice success" role="status"><p>\(context.text(Text("appointment.done.\(done)")))</p></div>
      """
  }

  /// What can still be done with it; else how to reach the clinic.
  private var actions: HTML? {
    get throws {
      guard booking.status == .booked, booking.span.lowerBound > context.now else { return nil }
      let hours = try context.portal.settings.integer("cancel_until_hours")
      if context.now + .hours(hours) > booking.span.lowerBound {
        let text = BookingWords.tooLate(by: hours, practice.clinic)
        return "<p class=\"hint\">\(context.text(text))</p>"
      }
      return """
        <p class="actions"><a class="button" href="/appointments/\(booking.id)/edit">\
        \(context.text("appointment.move"))</a> <a class="button danger secondary" \
        href="/appointments/\(booking.id)/cancel">\(context.text("appointment.cancel"))</a></p>
        """
    }
  }

  /// Where it stands, in a word.
  static func badge(_ booking: Booking, _ context: Context) -> HTML {
    let text = context.text(booking.status.title)
    switch booking.status {
    case .booked: return "<span class=\"badge\">\(text)</span>"
    case .arrived: return "<span class=\"badge waiting\">\(text)</span>"
    case .fulfilled: return "<span class=\"badge ok\">\(text)</span>"
    case .cancelled: return "<span class=\"badge off\">\(text)</span>"
    case .noshow: return "<span class=\"badge danger\">\(text)</span>"
    }
  }
}
