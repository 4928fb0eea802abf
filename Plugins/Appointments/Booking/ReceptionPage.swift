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
    let doctors = try Doctor.seen(at: clinic.id, by: context.portal.keys, on: connection)
    return try find(doctors, at: clinic, context, on: connection)
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

extension ReceptionDay {
  /// The open waiting lists of its doctors; none on another day than today.
  func lines(
    _ context: Context, on connection: Connection
  ) throws -> [ID<Doctor>: WaitingLine] {
    guard LocalDateTime(context.now, in: clinic.zone).date == date else { return [:] }
    var lines: [ID<Doctor>: WaitingLine] = [:]
    for (doctor, _) in doctors {
      let line = try WaitingList.line(of: doctor.id, at: context.now, on: connection)
      if line.isOpen(at: context.now) { lines[doctor.id] = line }
    }
    return lines
  }
}

extension Doctor {
  /// The doctors of a clinic with whom something can be booked, by department and name.
  fileprivate static func seen(
    at clinic: ID<Clinic>, by keys: Keys, on connection: Connection
  ) throws -> [Doctor] {
    try Department.open(of: clinic, on: connection).flatMap {
      try Doctor.enabled(of: $0.id, on: connection).sorted(by: keys)
    }
  }
}

/// What the desk sees of a day: names and times.
struct ReceptionPage {
  let title: Text
  /// For which work it is: the desk's, or the doctor's own day.
  let reason: AccessReason
  let days: [ReceptionDay]
  /// Who waits for which doctor, where the list is open.
  let lines: [ID<Doctor>: WaitingLine]
  let names: [ID<Person>: String]
  let context: Context

  var page: Page {
    get throws {
      let book: HTML = """
        <a class="button" href="/appointments/desk/book">\(context.text("desk.book"))</a>
        """
      let nowhere: HTML = """
        <section class="empty">\(context.icon(.screen))<h2>\(context.text("desk.none"))</h2>\
        <p>\(context.text("desk.none.hint"))</p></section>
        """
      return Page(
        title, days.isEmpty ? nowhere : "\(done)\(try days.map(day))",
        actions: days.isEmpty || !isDesk ? nil : book, width: .wide)
    }
  }

  private var isDesk: Bool { reason == .desk }
  private var base: Path { Booking.days(for: reason) }

  private func day(_ day: ReceptionDay) throws -> HTML {
    let doctors = try day.doctors.map { try doctor($0.doctor, $0.bookings, day.clinic) }
    return """
      <h2><bdi>\(BookingWords.name(of: day.clinic, context))</bdi></h2>\(turns(day.date))\(doctors)
      """
  }

  /// What has just happened to one of the bookings.
  private var done: HTML? {
    let id = ID<Appointment>(context.request.query["changed"])
    let bookings = days.flatMap { $0.doctors.flatMap(\.bookings) }
    guard let booking = bookings.first(where: { $0.id == id }),
      let text = booking.lastChange
    else { return nil }
    let what = [time(of: booking), names[booking.patient]].compactMap(\.self)
    return """
      <div class="notice success" role="status"><p>\(context.text(
        text, ["what": what.joined(separator: " ")]))</p></div>
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

  private func doctor(_ doctor: Doctor, _ bookings: [Booking], _ clinic: Clinic) throws -> HTML {
    let rows: HTML =
      bookings.isEmpty
      ? "<p class=\"muted\">\(context.text("desk.nobody"))</p>"
      : "<ul class=\"rows\">\(each: bookings, row)</ul>"
    let line = lines[doctor.id].map { waiting(in: $0, at: clinic) }
    let name = try doctor.name.opened(by: context.portal.keys)
    return "<section><h3><bdi>\(name)</bdi></h3>\(rows)\(line)</section>"
  }

  /// Who is treated and who waits.
  private func waiting(in line: WaitingLine, at clinic: Clinic) -> HTML {
    let formats = Formats(language: context.language, timeZone: clinic.zone)
    let treated = line.treated(at: context.now).map { place in
      row(
        place,
        context.text("line.current", ["number": formats.number(place.ticket.number)]))
    }
    let waiting = line.waiting(at: context.now).map { place in
      let facts = [
        "number": formats.number(place.ticket.number),
        "time": formats.time(place.ticket.joinedAt),
      ]
      return row(place, context.text("queue.waiting-since", facts))
    }
    let rows = (treated.map { [$0] } ?? []) + waiting
    let list: HTML =
      rows.isEmpty
      ? "<p class=\"muted\">\(context.text("line.nobody"))</p>"
      : "<ul class=\"rows\">\(rows)</ul>"
    return "<h4>\(context.text("line.title"))</h4>\(list)"
  }

  private func row(_ place: WaitingLine.Place, _ state: String) -> HTML {
    let name = names[place.ticket.person] ?? context.text("queue.unnamed")
    return """
      <li><div class="item"><span><strong><bdi>\(name)</bdi></strong>\
      <span class="secondary-text">\(state)</span></span></div></li>
      """
  }

  private func row(_ booking: Booking) -> HTML {
    let name = names[booking.patient]
    let buttons = BookingButtons(
      booking: booking, reason: reason, name: name ?? "", context: context)
    return """
      <li><div class="item"><span><strong>\(who(booking, name))</strong> \
      \(AppointmentDetails.badge(booking, context))</span>\
      <div class="actions">\(buttons.content)</div></div></li>
      """
  }

  /// Time and name; they lead to the appointment while the desk may still look at it.
  private func who(_ booking: Booking, _ name: String?) -> HTML {
    let time = time(of: booking)
    guard booking.concerns(reason, at: context.now) else { return "\(time)" }
    return "<a href=\"/appointments/\(booking.id)\">\(time) <bdi>\(name ?? "")</bdi></a>"
  }

  private func time(of booking: Booking) -> String {
    BookingWords.time(BookableTime(span: booking.span, zone: booking.zone), context)
  }
}

extension Booking {
  /// What the desk reads after its latest change; nil where the badge says it.
  fileprivate var lastChange: Text? {
    switch status {
    case .booked: sequence == 0 ? "desk.done.booked" : "desk.done.moved"
    case .cancelled: "desk.done.cancelled"
    case .arrived, .fulfilled, .noshow: nil
    }
  }
}
