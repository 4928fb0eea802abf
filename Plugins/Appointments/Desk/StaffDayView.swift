import PolyclinicCore

/// The page of a day for the reception or the doctor, with names and times.
struct StaffDayView {
  private let days: [ClinicDay]
  /// The purpose of the page: the reception's work, or the doctor's own day.
  private let reason: AccessReason
  /// The waiting lists that are open, by doctor.
  private let waitingLists: [ID<Doctor>: WaitingListSchedule]
  /// The appointments of the patients who are with their doctors now.
  private let called: Set<ID<Appointment>>
  /// The appointments of patients whom the doctor has not seen before.
  private let firstVisits: Set<ID<Appointment>>
  /// The patients whose data the visitor may open.
  private let patients: [ID<Person>: Portal.ListedPerson]
  /// The names of the doctors in the visitor's language.
  private let names: [ID<Doctor>: String]
  private let context: Context

  /// Loads what the days show. Needs a write transaction, because showing the names of the patients
  /// whose bookings staff may still see adds entries to their access logs.
  init(_ days: [ClinicDay], for reason: AccessReason, _ context: Context) throws {
    (self.days, self.reason, self.context) = (days, reason, context)
    waitingLists =
      reason == .reception
      ? try days.reduce(into: [:]) { lists, day in
        lists.merge(try day.waitingLists(context)) { one, _ in one }
      } : [:]
    patients = try Portal.ListedPerson.patients(
      days.flatMap(\.bookings).filter { $0.isVisible(for: reason, at: context.now) }.map(\.patient)
        + waitingLists.values.flatMap { $0.people(at: context.now) }, for: reason, context)
    firstVisits = try Booking.firstVisits(among: days.flatMap(\.bookings), in: context)
    called = Set(try days.flatMap { try $0.called(context) })
    names = Dictionary(
      try days.flatMap(\.doctors).map { ($0.doctor.id, try $0.doctor.name.shown(context)) }
    ) { one, _ in one }
  }

  var page: Page {
    let book = context.button("reception.new", to: NewPatientBooking.path, style: .secondary)
    let hours = context.button("hours.title", to: OwnHours.path, style: .secondary)
    let refresh = AutoRefresh(path: base, context: context)
    let search: HTML? = isReception && !days.isEmpty ? PatientSearchPage.form(context) : nil
    let nowhere = context.emptyState(.screen, "reception.none", hint: "reception.none.hint")
    return Page(
      isReception ? "reception.title" : "day.title",
      days.isEmpty ? nowhere : "\(search)\(turns)\(days.map(day))",
      actions: days.isEmpty
        ? nil : "\(actions: isToday ? refresh.button : nil, isReception ? book : hours)",
      width: .wide, refresh: isToday ? refresh.seconds : nil)
  }

  /// True if the page is today's, which changes by itself, as patients come.
  private var isToday: Bool { days.contains(where: \.isToday) }
  private var isReception: Bool { reason == .reception }
  private var base: Path { Booking.days(for: reason) }

  /// Returns the clinic's doctors with something on the day, then the others in one line.
  private func day(_ day: ClinicDay) -> HTML {
    let busy = day.doctors.filter { doctor, bookings in
      !bookings.isEmpty || waitingLists[doctor.id] != nil || day.daysOff[doctor.id] != nil
    }
    let idle = day.doctors.map(\.doctor).filter { doctor in
      !busy.contains { $0.doctor.id == doctor.id }
    }
    let other: HTML? =
      day.date == days.first?.date ? nil : "<p>\(BookingText.day(day.date, context))</p>"
    return """
      <h2><bdi>\(BookingText.name(of: day.clinic, context))</bdi></h2>\(other)\(early(day))\
      <div class="desk">\(busy.map { doctor($0.doctor, $0.bookings, day) })</div>\
      \(nobody(with: idle, isAlone: busy.isEmpty))
      """
  }

  /// Returns the doctors without appointments; nil if each one has some.
  private func nobody(with doctors: [Doctor], isAlone: Bool) -> HTML? {
    if doctors.isEmpty { return nil }
    let names = doctors.compactMap { self.names[$0.id] }.joined(separator: ", ")
    if isAlone {
      return context.emptyState(
        .calendar, "reception.nobody", content: isReception ? "<p><bdi>\(names)</bdi></p>" : nil)
    }
    return """
      <p class="muted">\(context.text("reception.nobody")): <bdi>\(names)</bdi></p>
      """
  }

  /// Returns the sentence that says from when on arrivals are marked; nil if no appointment of the
  /// day is too far ahead.
  private func early(_ day: ClinicDay) -> HTML? {
    let isEarly = day.bookings.contains {
      $0.status == .booked && $0.obstacle(to: .arrived, at: context.now) != nil
    }
    return isEarly && isReception
      ? "<p class=\"muted unprinted\">\(context.text("reception.arrived.early"))</p>" : nil
  }

  /// Returns the notice of the change that was just made to this booking; nil for the other ones.
  /// It stands beside the booking, because on a phone the list is many screens long.
  private func done(_ booking: Booking, with doctor: String) -> HTML? {
    guard booking.id == ID<Appointment>(context.request.query["changed"]) else { return nil }
    let what = [
      patients[booking.patient]?.name, doctor,
      BookingText.span(booking.span, in: booking.zone, context),
    ].compactMap(\.self).joined(separator: " · ")
    let isUndone = context.request.query["undone"] == "1"
    let text: Text =
      switch booking.status {
      case _ where isUndone: "reception.done.undone"
      case .booked where booking.sequence > 0: "reception.done.moved"
      case let status: Text("reception.done.\(status.rawValue)")
      }
    let notice = HTML.notice(.outcome, "<p>\(context.text(text, ["what": what]))</p>")
    return "<li id=\"changed\">\(notice)</li>"
  }

  /// The day with the links to its neighbours, and the form that leads to any other one. On paper it
  /// is the day alone.
  private var turns: HTML? {
    guard let date = days.first?.date else { return nil }
    return """
      <nav class="pages dated" aria-label="\(context.text("reception.days"))">\
      \(context.button(
        "reception.previous", to: path(date.adding(days: -1)), style: .secondary, rel: "prev"))\
      <span><strong>\(BookingText.day(date, context))</strong></span>\
      \(context.button("reception.next", to: path(date.adding(days: 1)), style: .secondary, rel: "next"))\
      </nav><details class="fold unprinted"><summary>\(context.text("reception.day.other"))</summary>\
      <form class="search" method="get" action="\(base)"><div class="filters"><div class="field short">\
      <label for="date">\(context.text("reception.day"))</label>\
      <input type="date" id="date" name="date" value="\(date.description)" required></div>\
      \(context.submit("reception.day.show", style: .secondary))</div></form></details>
      """
  }

  private func path(_ date: CalendarDate) -> Path { base.query(["date": date.description]) }

  private func doctor(_ doctor: Doctor, _ bookings: [Booking], _ day: ClinicDay) -> HTML {
    let name = names[doctor.id] ?? ""
    let off = day.daysOff[doctor.id]
    let rows: HTML =
      bookings.isEmpty
      ? "<p class=\"muted\">\(context.text(off?.isWholeDay == true ? "reception.off" : "reception.nobody"))</p>"
      : "\(rows: timeline(of: bookings, with: name, on: day))"
    let waitingList = waitingLists[doctor.id].map {
      waiting(in: $0, of: (doctor.id, name), at: day.clinic)
    }
    let disabled: HTML? =
      doctor.disabledAt == nil ? nil : " \(context.badge("admin.doctor.disabled"))"
    return """
      <section><h3><bdi>\(name)</bdi>\(disabled)\(off?.badge(context))</h3>\
      \(off?.notice(for: reason, context))\(rows)\(waitingList)</section>
      """
  }

  /// Returns the rows of a doctor's bookings. Today, a line between them marks the present time.
  private func timeline(of bookings: [Booking], with doctor: String, on day: ClinicDay) -> [HTML] {
    let rows = bookings.map { booking -> HTML in "\(done(booking, with: doctor))\(row(booking))" }
    guard day.isToday else { return rows }
    let begun = bookings.prefix { $0.span.lowerBound <= context.now }.count
    let time = context.formats.time(LocalDateTime(context.now, in: day.clinic.zone))
    let now: HTML = """
      <li class="now-line unprinted">\(context.badge(Text("day.now", ["time": time]), .now))</li>
      """
    return rows.prefix(begun) + [now] + rows.dropFirst(begun)
  }

  /// Returns the list of the patient in treatment and the patients who wait.
  private func waiting(
    in waitingList: WaitingListSchedule, of doctor: (id: ID<Doctor>, name: String),
    at clinic: Clinic
  ) -> HTML {
    let formats = Formats(language: context.language, timeZone: clinic.zone)
    let treated = waitingList.treated(at: context.now).map { [$0] } ?? []
    let rows = (treated + waitingList.waiting(at: context.now)).map { row($0, formats) }
    let list: HTML =
      rows.isEmpty ? "<p class=\"muted\">\(context.text("line.nobody"))</p>" : "\(rows: rows)"
    return """
      <h4 class="secondary-text">\(context.text("line.title")) · <bdi>\(doctor.name)</bdi></h4>\(list)\
      \(actions: context.button(
        "reception.line.add", to: WalkInList.search(for: doctor.id), style: [.secondary, .small],
        of: doctor.name),
        context.button(
          "line.display", to: DisplayPage.path(doctor.id), style: [.plain, .small],
          of: doctor.name))
      """
  }

  /// Returns a patient on a waiting list, after the notice if the patient was just added.
  private func row(_ place: WaitingListSchedule.Place, _ formats: Formats) -> HTML {
    let (ticket, isWaiting) = (place.ticket, place.isWaiting(at: context.now))
    let state: Text =
      isWaiting ? "queue.waiting-since" : ticket.isDeclined ? "queue.declined" : "line.current"
    let facts = [
      "number": formats.number(ticket.number), "time": formats.time(ticket.joinedAt),
    ]
    let name = patients[ticket.person]?.name ?? context.text("queue.unnamed")
    let action: HTML? =
      isWaiting
      ? context.button(
        "reception.line.remove", to: WalkInRemoval.path(ticket.id),
        style: [.plain, .danger, .small],
        of: name)
      : ticket.isDeclined
        ? nil
        : context.button(
          "reception.line.decline", posts: WalkInTicket.decline.path(ticket.id),
          style: [.secondary, .small], of: name)
    let row = HTML.row(
      "<bdi>\(name)</bdi>", detail: "\(context.text(state, facts))", actions: action)
    guard ticket.id == ID<Ticket>(context.request.query["listed"]) else { return row }
    let added = context.text("reception.line.added", facts.merging(["what": name]) { $1 })
    let notice = HTML.notice(.outcome, "<p>\(added)</p>")
    return "<li id=\"changed\">\(notice)</li>\(row)"
  }

  private func row(_ booking: Booking) -> HTML {
    let patient = patients[booking.patient]
    var buttons = BookingButtons(
      booking: booking, reason: reason, name: patient?.name ?? "", context: context)
    buttons.foldsChanges = true
    let state =
      called.contains(booking.id)
      ? AppointmentFacts.calledBadge(context) : AppointmentFacts.badge(booking, context)
    let isNew = booking.status.isOpen && patient != nil && firstVisits.contains(booking.id)
    return .row(
      "\(who(booking, patient?.name))",
      mark: isNew ? "\(state) \(context.badge("day.new-patient"))" : state,
      detail: patient?.ageAndSex(context).map { "\($0)" },
      actions: buttons.content)
  }

  /// Returns the time and the name, linked to the appointment while staff may see it; only the time
  /// afterwards.
  private func who(_ booking: Booking, _ name: String?) -> HTML {
    let time = BookingText.time(Slot(span: booking.span, zone: booking.zone), context)
    guard booking.isVisible(for: reason, at: context.now) else {
      return "<span class=\"at\">\(time)</span>"
    }
    return
      """
      <a href="\(StaffAppointmentPage.path(booking.id))"><span class="at">\(time)</span> \
      <bdi>\(name ?? "")</bdi></a>
      """
  }
}

extension Booking {
  /// Returns those of a day's bookings whose patients the doctor has not seen on an earlier day.
  fileprivate static func firstVisits(
    among bookings: [Booking], in work: Work
  ) throws -> Set<ID<Appointment>> {
    guard let first = bookings.map(\.span.lowerBound).min() else { return [] }
    let (patients, doctors) = (Set(bookings.map(\.patient)), Set(bookings.map(\.doctor)))
    var known: [ID<Person>: Set<ID<Doctor>>] = [:]
    try work.forEach(
      """
      SELECT person, doctor FROM appointments
      WHERE person IN \(list: patients.sorted()) AND doctor IN \(list: doctors.sorted())
        AND status IN ('arrived', 'fulfilled') AND starts_at < \(first)
      UNION
      SELECT person, doctor FROM appointments_tickets
        JOIN appointments_sessions ON id_session = session
      WHERE person IN \(list: patients.sorted()) AND doctor IN \(list: doctors.sorted())
        AND appointments_tickets.called_at < \(first) AND \(Ticket.visited)
      """
    ) { row in
      known[row.id(0), default: []].insert(row.id(1))
    }
    return Set(bookings.filter { known[$0.patient]?.contains($0.doctor) != true }.map(\.id))
  }
}
