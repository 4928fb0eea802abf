import PolyclinicCore

extension AppointmentsModule {
  func show(_ context: Context) throws -> Response {
    let keys = try context.keys
    return try context.database.read { connection in
      guard let booking = try own(context, on: connection) else {
        return try showPersonal(context)
      }
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
      let facts: [(label: Text, value: HTML?)] = [
        ("appointment.when", when), ("appointment.status", Self.badge(booking, context)),
        ("booking.doctor", doctor), ("booking.department", specialization),
        ("booking.clinic", clinic),
        ("appointment.phone", phone),
        ("field.purpose", purpose.isEmpty ? nil : "<bdi>\(purpose)</bdi>"),
      ]
      return Page(
        "appointment.title",
        """
        \(done)<dl class="details">\(each: facts, fact)</dl>\(try actions)\
        \(context.calendarFileLink(of: booking.id.rawValue))\(history)
        """,
        back: "")
    }
  }

  private func fact(_ fact: (label: Text, value: HTML?)) -> HTML {
    guard let value = fact.value else { return HTML() }
    return "<div><dt>\(context.text(fact.label))</dt><dd class=\"lines\">\(value)</dd></div>"
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

  private var when: HTML {
    """
    \(BookingWords.span(booking.span, in: booking.zone, context))\
    \(BookingWords.zoneNote(booking.zone, at: booking.span.lowerBound, context))
    """
  }

  private var doctor: HTML {
    """
    <a href="/appointments/doctors/\(practice.doctor.id)"><bdi>\(practice.doctor.name)</bdi></a>
    """
  }

  private var specialization: HTML {
    "\(context.text(practice.department.specialization.title))"
  }

  private var clinic: HTML {
    let clinic = practice.clinic
    let address = clinic.address
    return """
      <a href="/appointments/clinics/\(clinic.id)"><bdi>\(BookingWords.name(of: clinic, context))</bdi></a>
      <bdi>\(address.street) \(address.houseNumber), \(address.city)</bdi>
      """
  }

  private var phone: HTML? {
    guard let link = OutsideLink.telephone(practice.clinic.phone) else { return nil }
    return "<a href=\"\(link)\"><bdi dir=\"ltr\">\(practice.clinic.phone)</bdi></a>"
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

  private var history: HTML {
    """
    <h2>\(context.text("appointment.history"))</h2>\
    <ol class="rows">\(each: events, { "<li><div class=\"item\"><span>\(line($0))</span></div></li>" })</ol>
    """
  }

  private func line(_ event: AppointmentEvent) -> HTML {
    let isMove = event.status == .booked && event.sequence > 0
    let start = BookingWords.dateTime(event.startsAt, in: booking.zone, context)
    let what =
      event.status == .booked
      ? context.text(
        isMove ? "history.moved" : "history.booked", ["time": start])
      : context.text(event.status.title)
    let who =
      event.note.name.isEmpty
      ? context.text("history.you")
      : "\(event.note.name), \(context.text(Text("actor.\(event.role.rawValue)")))"
    let reason: HTML? =
      event.note.reason.isEmpty
      ? nil : "<span class=\"secondary-text\"><bdi>\(event.note.reason)</bdi></span>"
    return """
      <strong>\(what)</strong><span class="secondary-text">\
      \(context.formats.dateTime(event.at)) · <bdi>\(who)</bdi></span>\(reason)
      """
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
