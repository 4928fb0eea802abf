import PolyclinicCore

/// A clinic's bookings on one day, by doctor.
struct ClinicDay {
  let clinic: Clinic
  let date: CalendarDate
  let doctors: [(doctor: Doctor, bookings: [Booking])]

  /// Returns the bookings of all doctors of a clinic on the day in the query, by default today at the clinic.
  static func find(
    _ clinic: Clinic, _ context: Context, on connection: Connection
  ) throws -> ClinicDay {
    let doctors = try Doctor.bookable(at: clinic.id, by: context.portal.keys, on: connection)
    return try find(doctors, at: clinic, context, on: connection)
  }

  /// Returns the bookings of one doctor on the day in the query, by default today at the clinic.
  static func find(
    _ placement: DoctorPlacement, _ context: Context, on connection: Connection
  ) throws -> ClinicDay {
    try find([placement.doctor], at: placement.clinic, context, on: connection)
  }

  private static func find(
    _ doctors: [Doctor], at clinic: Clinic, _ context: Context, on connection: Connection
  ) throws -> ClinicDay {
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
    return ClinicDay(clinic: clinic, date: date, doctors: doctors)
  }
}

extension ClinicDay {
  /// Returns the open waiting lists of the doctors; empty if the day is not today.
  func waitingLists(
    _ context: Context, on connection: Connection
  ) throws -> [ID<Doctor>: WaitingListSchedule] {
    guard LocalDateTime(context.now, in: clinic.zone).date == date else { return [:] }
    var waitingLists: [ID<Doctor>: WaitingListSchedule] = [:]
    for (doctor, _) in doctors {
      let waitingList = try WaitingList.schedule(of: doctor.id, at: context.now, on: connection)
      if waitingList.isOpen(at: context.now) { waitingLists[doctor.id] = waitingList }
    }
    return waitingLists
  }
}

extension Doctor {
  /// Returns the doctors of a clinic who can be booked, by department and name.
  fileprivate static func bookable(
    at clinic: ID<Clinic>, by keys: Keys, on connection: Connection
  ) throws -> [Doctor] {
    try Department.open(of: clinic, on: connection).flatMap {
      try Doctor.enabled(of: $0.id, on: connection).sorted(by: keys)
    }
  }
}

/// The page of a day for the reception or the doctor, with names and times.
struct StaffDayPage {
  let title: Text
  /// The purpose of the page: the reception's work, or the doctor's own day.
  let reason: AccessReason
  let days: [ClinicDay]
  /// The waiting lists that are open, by doctor.
  let waitingLists: [ID<Doctor>: WaitingListSchedule]
  /// The patients whose data the visitor may open.
  let patients: [ID<Person>: ListedPatient]
  let context: Context

  var page: Page {
    get throws {
      let book: HTML = context.button("desk.new", to: "/appointments/desk/new", style: .secondary)
      let hours = context.button("hours.title", to: "/appointments/hours", style: .secondary)
      let search: HTML? = isReception && !days.isEmpty ? PatientSearchPage.form(context) : nil
      let nowhere: HTML = context.emptyState(.screen, "desk.none", hint: "desk.none.hint")
      return Page(
        title, days.isEmpty ? nowhere : "\(done)\(search)\(chooser)\(try days.map(day))",
        actions: days.isEmpty ? nil : isReception ? book : hours, width: .wide)
    }
  }

  private var isReception: Bool { reason == .desk }
  private var base: Path { Booking.days(for: reason) }

  private func day(_ day: ClinicDay) throws -> HTML {
    let doctors = try day.doctors.map { try doctor($0.doctor, $0.bookings, day.clinic) }
    return """
      <h2><bdi>\(BookingText.name(of: day.clinic, context))</bdi></h2>\(turns(day.date))\(doctors)
      """
  }

  /// The notice of the change that was just made to one of the bookings.
  private var done: HTML? {
    let id = ID<Appointment>(context.request.query["changed"])
    let bookings = days.flatMap { $0.doctors.flatMap(\.bookings) }
    guard let booking = bookings.first(where: { $0.id == id }),
      let text = booking.lastChange
    else { return nil }
    let what = [time(of: booking), patients[booking.patient]?.name].compactMap(\.self)
    return .notice(.outcome, "<p>\(context.text(text, ["what": what.joined(separator: " ")]))</p>")
  }

  private func turns(_ date: CalendarDate) -> HTML {
    """
    <nav class="pages" aria-label="\(context.text("desk.days"))">\
    \(context.button(
      "desk.previous", to: path(date.adding(days: -1)), style: .secondary, rel: "prev"))\
    <span><strong>\(BookingText.day(date, context))</strong></span>\
    \(context.button("desk.next", to: path(date.adding(days: 1)), style: .secondary, rel: "next"))\
    </nav>
    """
  }

  /// Returns the form that leads to any day.
  private var chooser: HTML? {
    guard let date = days.first?.date else { return nil }
    return """
      <form class="search" method="get" action="\(base)"><label for="date">\
      \(context.text("desk.day"))</label> <input type="date" id="date" name="date" value="\(date.description)" required> \
      \(context.submit("desk.day.show", style: .secondary))</form>
      """
  }

  private func path(_ date: CalendarDate) -> Path {
    base.query(["date": date.description])
  }

  private func doctor(_ doctor: Doctor, _ bookings: [Booking], _ clinic: Clinic) throws -> HTML {
    let rows: HTML =
      bookings.isEmpty
      ? "<p class=\"muted\">\(context.text("desk.nobody"))</p>"
      : "\(rows: bookings, row)"
    let waitingList = waitingLists[doctor.id].map { waiting(in: $0, at: clinic) }
    let name = try doctor.name.shown(context)
    return "<section><h3><bdi>\(name)</bdi></h3>\(rows)\(waitingList)</section>"
  }

  /// Returns the list of the patient in treatment and the patients who wait.
  private func waiting(in waitingList: WaitingListSchedule, at clinic: Clinic) -> HTML {
    let formats = Formats(language: context.language, timeZone: clinic.zone)
    let treated = waitingList.treated(at: context.now).map { place in
      row(
        place,
        context.text("line.current", ["number": formats.number(place.ticket.number)]))
    }
    let waiting = waitingList.waiting(at: context.now).map { place in
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
      : "\(rows: rows)"
    return "<h4 class=\"secondary-text\">\(context.text("line.title"))</h4>\(list)"
  }

  private func row(_ place: WaitingListSchedule.Place, _ state: String) -> HTML {
    let name = patients[place.ticket.person]?.name ?? context.text("queue.unnamed")
    return .row("<bdi>\(name)</bdi>", detail: "\(state)")
  }

  private func row(_ booking: Booking) -> HTML {
    let patient = patients[booking.patient]
    let buttons = BookingButtons(
      booking: booking, reason: reason, name: patient?.name ?? "", context: context)
    return .row(
      "\(who(booking, patient?.name))", mark: "\(AppointmentFacts.badge(booking, context))",
      detail: patient?.ageAndSex(context).map { "\($0)" },
      actions: buttons.content)
  }

  /// Returns the time and the name, linked to the appointment while staff may see it; only the time afterwards.
  private func who(_ booking: Booking, _ name: String?) -> HTML {
    let time = time(of: booking)
    guard booking.isVisible(for: reason, at: context.now) else { return "\(time)" }
    return "<a href=\"/appointments/\(booking.id)\">\(time) <bdi>\(name ?? "")</bdi></a>"
  }

  private func time(of booking: Booking) -> String {
    BookingText.time(BookableTime(span: booking.span, zone: booking.zone), context)
  }
}

extension Booking {
  /// The message about the latest change; nil if the badge says it.
  fileprivate var lastChange: Text? {
    switch status {
    case .booked: sequence == 0 ? "desk.done.booked" : "desk.done.moved"
    case .cancelled: "desk.done.cancelled"
    case .arrived, .fulfilled, .noshow: nil
    }
  }
}
