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
  /// The words of the patients about their visits, which only the doctor may read.
  private let details: [ID<Appointment>: Booking.Details]
  /// The bookings of the doctor's next day with any, if this day has none; empty at the reception.
  private let next: [Booking]
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
    let all = days.flatMap(\.bookings)
    let visible = all.filter { $0.isVisible(for: reason, at: context.now) }
    let works = try context.of(
      Array(
        Set(
          visible.map(\.patient) + waitingLists.values.flatMap { $0.people(at: context.now) })),
      for: reason, reading: reason == .care ? "log.viewed.appointment" : "log.viewed.list")
    patients = try Portal.ListedPerson.patients(works, for: reason, context)
    details =
      try reason == .care
      ? visible.reduce(into: [:]) { found, booking in
        found[booking.id] = try works[booking.patient].map { try booking.details(by: $0.keys) }
      } : [:]
    firstVisits = try Booking.firstVisits(among: all, in: context)
    next = try reason == .care && all.isEmpty ? days.flatMap { try $0.nextBookings(context) } : []
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
      heading,
      days.isEmpty ? nowhere : "\(search)\(turns)\(days.map(isReception ? clinic : own))",
      actions: days.isEmpty
        ? nil : "\(actions: isToday ? refresh.button : nil, isReception ? book : hours)",
      assets: [.desk], width: .wide, refresh: isToday ? refresh.seconds : nil)
  }

  /// The doctor's page is headed by its day; the reception's day stands above its clinics.
  private var heading: Text {
    guard !isReception, let date = days.first?.date else { return "reception.title" }
    return Text("day.heading", ["day": BookingText.day(date, context)])
  }

  /// True if the page is today's, which changes by itself, as patients come.
  private var isToday: Bool { days.contains(where: \.isToday) }
  private var isReception: Bool { reason == .reception }
  private var base: Path { Booking.days(for: reason) }

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

  /// The links to the neighbouring days and to today, and the form that leads to any other day. On
  /// paper it is the day alone.
  private var turns: HTML? {
    guard let date = days.first?.date else { return nil }
    let shown: HTML? =
      isReception ? "<strong>\(BookingText.day(date, context))</strong> " : nil
    let today: HTML? =
      isToday ? nil : context.button("times.today", to: base, style: [.secondary, .small])
    let middle: HTML? =
      shown == nil && today == nil ? nil : "<span>\(shown)\(today)</span>"
    return """
      <nav class="pages dated" aria-label="\(context.text("reception.days"))">\
      \(context.button(
        "reception.previous", to: path(date.adding(days: -1)), style: .secondary, rel: "prev"))\
      \(middle)\
      \(context.button("reception.next", to: path(date.adding(days: 1)), style: .secondary, rel: "next"))\
      </nav><details class="fold unprinted"><summary>\(context.text("reception.day.other"))</summary>\
      <form class="search" method="get" action="\(base)"><div class="filters"><div class="field short">\
      <label for="date">\(context.text("reception.day"))</label>\
      <input type="date" id="date" name="date" value="\(date.description)" required></div>\
      \(context.submit("reception.day.show", style: .secondary))</div></form></details>
      """
  }

  private func path(_ date: CalendarDate) -> Path { base.query(["date": date.description]) }

  /// Returns the rows of a doctor's bookings and of further parts of the day, in the order of their
  /// times. Today, a line between them marks the present time. `shown` is the booking whose buttons
  /// stand above the list.
  private func timeline(
    of doctor: ClinicDay.OfDoctor, with gaps: [(start: Instant, row: HTML)] = [],
    besides shown: ID<Appointment>? = nil, on day: ClinicDay
  ) -> HTML {
    let name = names[doctor.doctor.id] ?? ""
    let bookings = doctor.bookings.map { booking -> (start: Instant, row: HTML) in
      let row = row(booking, hasButtons: booking.id != shown)
      return (booking.span.lowerBound, "\(done(booking, with: name))\(row)")
    }
    let parts = (bookings + gaps).sorted { $0.start < $1.start }
    guard day.isToday else { return "\(rows: parts.map(\.row))" }
    let begun = parts.prefix { $0.start <= context.now }.count
    let time = context.formats.time(LocalDateTime(context.now, in: day.clinic.zone))
    let now: HTML = """
      <li class="now-line unprinted">\(context.badge(Text("day.now", ["time": time]), .now))</li>
      """
    return "\(rows: parts.prefix(begun).map(\.row) + [now] + parts.dropFirst(begun).map(\.row))"
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

  /// Returns the row of a booking: the time, the patient, for the doctor the reason for the visit, and
  /// the buttons unless they stand above the list.
  private func row(_ booking: Booking, hasButtons: Bool) -> HTML {
    let age: HTML? = patients[booking.patient]?.ageAndSex(context).map {
      "<span class=\"secondary-text\">\($0)</span>"
    }
    let visit: HTML =
      "<div><strong>\(who(booking, patients[booking.patient]?.name))</strong>\(marks(of: booking)) \(age)</div>"
    return .row(
      content: "<div class=\"visit\">\(visit)\(reason(of: booking))</div>",
      actions: hasButtons ? buttons(of: booking, isInList: true) : nil)
  }

  /// Returns the child who comes, and the reason for the visit in the patient's words, for the doctor
  /// alone; nil without either. `limit` shortens the reason.
  private func reason(of booking: Booking, limit: Int = 140) -> HTML? {
    guard let details = details[booking.id] else { return nil }
    let purpose = details.purpose
    let shown = purpose.count > limit ? "\(purpose.prefix(limit))…" : purpose
    let child = details.child.shown(context)
    let words = AppointmentFacts.purpose(shown)
    if child == nil && words == nil { return nil }
    let between: HTML? = child == nil || words == nil ? nil : " · "
    return "<div class=\"reason\">\(child)\(between)\(words)</div>"
  }

  /// Returns the status if it is not simply booked, and “New patient”, as badges, each after a space.
  private func marks(of booking: Booking) -> HTML {
    let state: HTML? =
      if called.contains(booking.id) {
        AppointmentFacts.calledBadge(context)
      } else {
        booking.status == .booked ? nil : AppointmentFacts.badge(booking, context)
      }
    let isNew =
      booking.status.isOpen && patients[booking.patient] != nil && firstVisits.contains(booking.id)
    return """
      \(state.map { " \($0)" })\(isNew ? " \(context.badge("day.new-patient"))" : nil)
      """
  }

  private func buttons(of booking: Booking, isInList: Bool) -> HTML {
    BookingButtons(
      booking: booking, reason: reason, name: patients[booking.patient]?.name ?? "",
      context: context, isInList: isInList
    ).content
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
      <a href="\(StaffAppointmentPage.path(booking.id))"><span class="at">\(time) </span>\
      <bdi>\(name ?? "")</bdi></a>
      """
  }
}

/// The reception's clinics, with the free times of each doctor above the patients.
extension StaffDayView {
  /// The most hours that fit beside each other in large text.
  private static let hoursInRow = 11

  /// Returns the clinic's doctors with something on the day, then the others in one line.
  private func clinic(_ day: ClinicDay) -> HTML {
    func isBusy(_ doctor: ClinicDay.OfDoctor) -> Bool {
      !doctor.bookings.isEmpty || !doctor.free.isEmpty || doctor.off != nil
        || waitingLists[doctor.doctor.id] != nil
    }
    let busy = day.doctors.filter(isBusy)
    let free = day.doctors.flatMap(\.free).map(\.local.hour)
    let hours = (free.min() ?? 0)...(free.max() ?? 0)
    let idle = day.doctors.filter { !isBusy($0) }.compactMap { names[$0.doctor.id] }
    let other: HTML? =
      day.date == days.first?.date ? nil : "<p>\(BookingText.day(day.date, context))</p>"
    return """
      <h2><bdi>\(BookingText.name(of: day.clinic, context))</bdi></h2>\(other)\(early(day))\
      <div class="desk">\(busy.map { section($0, free: hours, day) })</div>\
      \(nobody(with: idle.joined(separator: ", "), isAlone: busy.isEmpty))
      """
  }

  /// Returns the doctors without appointments and free times; nil if there are none beside others.
  private func nobody(with names: String, isAlone: Bool) -> HTML? {
    let list: HTML? = names.isEmpty ? nil : "<p><bdi>\(names)</bdi></p>"
    if isAlone { return context.emptyState(.calendar, "reception.nobody", content: list) }
    if names.isEmpty { return nil }
    return """
      <p class="muted">\(context.text("reception.nobody")): <bdi>\(names)</bdi></p>
      """
  }

  /// Returns a doctor's name, free times, patients and waiting list. `hours` are those in which any
  /// doctor of the clinic has a free time.
  private func section(
    _ doctor: ClinicDay.OfDoctor, free hours: ClosedRange<Int>, _ day: ClinicDay
  ) -> HTML {
    let id = doctor.doctor.id
    let name = names[id] ?? ""
    let nobody: Text = doctor.off?.isWholeDay == true ? "reception.off" : "reception.nobody"
    let isEmpty = doctor.bookings.isEmpty
    let waitingList: HTML? = waitingLists[id].map {
      "<div class=\"whole\">\(waiting(in: $0, of: (id, name), at: day.clinic))</div>"
    }
    let disabled: HTML? =
      doctor.doctor.disabledAt == nil ? nil : " \(context.badge("admin.doctor.disabled"))"
    return """
      <section>\(notice(of: doctor))<div><h3><bdi>\(name)</bdi>\(disabled)\
      \(doctor.off?.badge(context))</h3><p class="secondary-text">\
      \(context.text(doctor.placement.department.specialization.title))</p>\
      \(count(of: doctor, on: day.date, name))</div><div>\(times(of: doctor, in: hours))\
      \(isEmpty ? "<p class=\"muted\">\(context.text(nobody))</p>" : timeline(of: doctor, on: day))\
      </div>\(waitingList)</section>
      """
  }

  /// Returns the warning that appointments are booked in the time off; nil without any.
  private func notice(of doctor: ClinicDay.OfDoctor) -> HTML? {
    doctor.off?.notice(for: reason, context).map { "<div class=\"whole\">\($0)</div>" }
  }

  /// Returns the number of free times, linked to all of them, or why there are none; nil for a day
  /// that is over.
  private func count(
    of doctor: ClinicDay.OfDoctor, on date: CalendarDate, _ name: String
  ) -> HTML? {
    if doctor.free.isEmpty {
      let word = doctor.state == .full || doctor.state == .closed ? doctor.state.word : nil
      guard doctor.off == nil, doctor.placement.isOpen, let word else { return nil }
      return "<p class=\"muted\">\(context.text(word))</p>"
    }
    let all = ReceptionBooking.path.query([
      "doctor": doctor.doctor.id.description, "date": date.description,
    ])
    return """
      <p><a href="\(all)">\(context.text("times.free", count: doctor.free.count))\
      <span class="hidden-text"> \(name)</span></a></p>
      """
  }

  /// Returns the first free time of each hour, linked to the search for the patient; nil without
  /// any. The hours of all doctors stand below each other, if they fit.
  private func times(of doctor: ClinicDay.OfDoctor, in hours: ClosedRange<Int>) -> HTML? {
    if doctor.free.isEmpty { return nil }
    let first = Dictionary(doctor.free.map { ($0.local.hour, $0) }) { one, _ in one }
    let times = hours.map { hour -> HTML in
      guard let time = first[hour] else { return "<li aria-hidden=\"true\">–</li>" }
      var chosen = time.choices(with: doctor.doctor.id)
      chosen.append("search", "1")
      let path = ReceptionBooking.path.query(chosen)
      let shown: HTML = "\(BookingText.time(time, context))"
      return "<li>\(context.button(showing: shown, to: path, style: [.secondary, .small]))</li>"
    }
    let fits = hours.count <= Self.hoursInRow
    return "<ul class=\"free-times unprinted\(fits ? " hours" : "")\">\(times)</ul>"
  }
}

/// The doctor's own day: the next patient, and the patients with the free time between them.
extension StaffDayView {
  private func own(_ day: ClinicDay) -> HTML {
    guard let doctor = day.doctors.first else { return HTML() }
    let shown = day.isToday ? current(of: doctor) : nil
    let coming = doctor.bookings.count { $0.status != .cancelled }
    let patients: HTML? =
      coming == 0 ? nil : " · \(context.text("day.patients", count: coming))"
    let list = timeline(of: doctor, with: gaps(of: doctor), besides: shown?.id, on: day)
    let hasList = !doctor.bookings.isEmpty || !doctor.free.isEmpty
    return """
      <p class="lead"><bdi>\(BookingText.name(of: day.clinic, context))</bdi>\(patients)\
      \(doctor.off?.badge(context))</p>\(notice(of: doctor))\
      \(doctor.bookings.isEmpty ? empty(doctor) : nil)\
      <div class="own-day">\(shown.map(panel))<div>\(hasList ? list : nil)</div></div>
      """
  }

  /// Returns the patient who is with the doctor, or the next one: the first who has arrived, or who
  /// is booked. Nil if nobody comes any more.
  private func current(of doctor: ClinicDay.OfDoctor) -> Booking? {
    let open = doctor.bookings.filter { $0.status.isOpen && patients[$0.patient] != nil }
    return open.first { called.contains($0.id) } ?? open.first { $0.status == .arrived }
      ?? open.first { $0.span.upperBound > context.now }
  }

  /// Returns the patient above the list, with the whole reason for the visit.
  private func panel(_ booking: Booking) -> HTML {
    let patient = patients[booking.patient]
    let time = BookingText.time(Slot(span: booking.span, zone: booking.zone), context)
    let age: HTML? = patient?.ageAndSex(context).map { "<p class=\"secondary-text\">\($0)</p>" }
    return """
      <section class="panel next-patient"><h2>\
      \(context.text(called.contains(booking.id) ? "queue.current" : "day.next"))</h2>\
      <p class="figure">\(time)</p><p class="name"><a href="\(StaffAppointmentPage.path(booking.id))">\
      <bdi>\(patient?.name ?? "")</bdi></a>\(marks(of: booking))</p>\(age)\
      \(reason(of: booking, limit: 2_000))\(actions: buttons(of: booking, isInList: false))</section>
      """
  }

  /// Returns the rows of the free time, each from one appointment to the next.
  private func gaps(of doctor: ClinicDay.OfDoctor) -> [(start: Instant, row: HTML)] {
    var spans = Spans<Instant>()
    for time in doctor.free { spans.insert(time.span) }
    return spans.ranges.map { span in
      let zone = doctor.placement.clinic.zone
      let ends = [span.lowerBound, span.upperBound].map {
        BookingText.time(Slot(span: $0..<$0, zone: zone), context)
      }
      let count = doctor.free.count { span.contains($0.span.lowerBound) }
      let row: HTML = """
        <li class="gap"><bdi class="at">\(ends[0])–\(ends[1])</bdi> \
        \(context.text("times.free", count: count))</li>
        """
      return (span.lowerBound, row)
    }
  }

  /// Returns the sentence that nobody comes, with the link to the next day with patients.
  private func empty(_ doctor: ClinicDay.OfDoctor) -> HTML {
    let later = next.first.map { booking in
      let time = BookingText.shortDateTime(Slot(span: booking.span, zone: booking.zone), context)
      return context.button(
        Text("day.later", ["time": time], count: next.count), to: path(booking.local.date),
        style: .secondary)
    }
    return context.emptyState(
      .calendar, doctor.off?.isWholeDay == true ? "reception.off" : "reception.nobody",
      actions: later)
  }
}

extension Page.Asset {
  /// The style of the day of the reception and of the doctor.
  static let desk = Page.Asset("desk.css", PackageResources.desk_css)
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
