import PolyclinicCore

/// A clinic's day, doctor by doctor.
struct ReceptionDay {
  let clinic: Clinic
  let date: CalendarDate
  let doctors: [(doctor: Doctor, bookings: [Booking])]

  /// The day of all doctors of a clinic that the query names, or today on the clinic's clocks.
  static func find(
    _ clinic: Clinic, _ context: Context, on connection: Connection
  ) throws -> ReceptionDay {
    try find(Doctor.seen(at: clinic.id, on: connection), at: clinic, context, on: connection)
  }

  /// The day of one doctor that the query names, or today on the clinic's clocks.
  static func find(
    _ practice: Practice, _ context: Context, on connection: Connection
  ) throws -> ReceptionDay {
    try find([practice.doctor], at: practice.clinic, context, on: connection)
  }

  private static func find(
    _ doctors: [Doctor], at clinic: Clinic, _ context: Context, on connection: Connection
  ) throws -> ReceptionDay {
    let today = LocalDateTime(context.now, in: clinic.zone).date
    let date = CalendarDate(context.request.query["date"]) ?? today
    var whole = Spans<Int>()
    whole.insert(0..<1_440)
    let span = clinic.zone.moments(of: whole, on: date).ranges.first
    let doctors = try doctors.map { doctor in
      (
        doctor,
        try span.map { try Booking.all(of: doctor.id, startingIn: $0, on: connection) } ?? []
      )
    }
    return ReceptionDay(clinic: clinic, date: date, doctors: doctors)
  }
}

extension Doctor {
  /// The doctors of a clinic with whom something can be booked.
  fileprivate static func seen(
    at clinic: ID<Clinic>, on connection: Connection
  ) throws -> [Doctor] {
    try Department.open(of: clinic, on: connection).flatMap {
      try Doctor.enabled(of: $0.id, on: connection)
    }
  }
}

/// What the desk sees of a day: names and times.
struct ReceptionPage {
  let title: Text
  /// Where it stands.
  let base: Path
  let days: [ReceptionDay]
  let names: [ID<Person>: String]
  let context: Context

  var page: Page {
    let book: HTML = """
      <a class="button" href="/appointments/desk/book">\(context.text("desk.book"))</a>
      """
    let nowhere: HTML = """
      <section class="empty">\(context.icon(.screen))<h2>\(context.text("desk.none"))</h2>\
      <p>\(context.text("desk.none.hint"))</p></section>
      """
    return Page(
      title, days.isEmpty ? nowhere : "\(each: days, day)",
      actions: days.isEmpty || !isDesk ? nil : book, width: .wide)
  }

  private var isDesk: Bool { base == "/appointments/desk" }

  private func day(_ day: ReceptionDay) -> HTML {
    """
    <h2><bdi>\(BookingWords.name(of: day.clinic, context))</bdi></h2>\(turns(day.date))\
    \(each: day.doctors, { doctor($0.doctor, $0.bookings, day.date) })
    """
  }

  private func turns(_ date: CalendarDate) -> HTML {
    """
    <nav class="pages" aria-label="\(context.text("desk.days"))">\
    <a class="button secondary" rel="prev" href="\(path(date.adding(days: -1)))">\
    \(context.text("desk.previous"))</a>\
    <span><strong>\(BookingWords.day(date, context))</strong></span>\
    <a class="button secondary" rel="next" href="\(path(date.adding(days: 1)))">\
    \(context.text("desk.next"))</a></nav>
    """
  }

  private func path(_ date: CalendarDate) -> Path {
    base.query(["date": date.description])
  }

  private func doctor(_ doctor: Doctor, _ bookings: [Booking], _ date: CalendarDate) -> HTML {
    let rows: HTML =
      bookings.isEmpty
      ? "<p class=\"muted\">\(context.text("desk.nobody"))</p>"
      : "<ul class=\"rows\">\(each: bookings, { row($0, date) })</ul>"
    return "<section><h3><bdi>\(doctor.name)</bdi></h3>\(rows)</section>"
  }

  private func row(_ booking: Booking, _ date: CalendarDate) -> HTML {
    let name = names[booking.patient] ?? ""
    let time = BookableTime(span: booking.span, zone: booking.zone)
    return """
      <li><div class="item"><span><strong>\(BookingWords.time(time, context)) \
      <bdi>\(name)</bdi></strong> \(AppointmentDetails.badge(booking, context))</span>\
      <div class="actions">\(buttons(booking, date, name))</div></div></li>
      """
  }

  private func buttons(_ booking: Booking, _ date: CalendarDate, _ name: String) -> HTML {
    let marks = [Appointment.Status.arrived, .fulfilled, .noshow].filter {
      booking.status.next.contains($0) && !booking.isTooEarly(for: $0, at: context.now)
    }
    let withdraw: HTML? =
      isDesk && booking.status.next.contains(.cancelled)
      ? """
      <a class="button plain danger small" href="/appointments/\(booking.id)/withdraw">\
      \(context.text("desk.withdraw"))<span class="hidden-text"> \(name)</span></a>
      """ : nil
    return """
      \(each: marks, { status in
        """
        <form method="post" action="\(path(status, booking))" class="inline">\(context.hiddenFields())\
        <input type="hidden" name="date" value="\(date.description)">\
        <button class="button secondary small">\(context.text(Text("desk.\(status.rawValue)")))\
        <span class="hidden-text"> \(name)</span></button></form>
        """
      })\(withdraw)
      """
  }

  private func path(_ status: Appointment.Status, _ booking: Booking) -> Path {
    "/appointments/\(booking.id)/\(status.rawValue)"
  }
}
