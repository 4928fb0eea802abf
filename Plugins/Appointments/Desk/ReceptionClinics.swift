import PolyclinicCore

/// The clinics of the reception on one day: the doctors with their free times, patients and waiting
/// lists.
struct ReceptionClinics {
  let staffDay: StaffDay
  private var context: Context { staffDay.context }

  /// The most hours that fit beside each other in large text.
  private static let hoursInRow = 12

  var html: HTML {
    let explained = staffDay.days.firstIndex { $0.doctors.contains { !$0.free.isEmpty } }
    return
      "\(each: staffDay.days.enumerated(), { clinic($0.element, isExplained: $0.offset == explained) })"
  }

  /// Returns the clinic's doctors with something on the day, then the others in one line.
  private func clinic(_ day: ClinicDay, isExplained: Bool) -> HTML {
    func isBusy(_ doctor: ClinicDay.OfDoctor) -> Bool {
      !doctor.bookings.isEmpty || !doctor.free.isEmpty || doctor.off != nil
        || staffDay.waitingLists[doctor.doctor.id] != nil
    }
    let busy = day.doctors.filter(isBusy)
    let shown = day.doctors.filter { !$0.free.isEmpty }.flatMap(\.times).map(\.local.hour)
    let hours = (shown.min() ?? 0)...(shown.max() ?? 0)
    let idle = day.doctors.filter { !isBusy($0) }.compactMap { staffDay.names[$0.doctor.id] }
    let other: HTML? =
      day.date == staffDay.days.first?.date ? nil : "<p>\(BookingText.day(day.date, context))</p>"
    let words = [isExplained ? "reception.hours.hint" : nil, early(day)].compactMap(\.self)
    let hint: HTML? =
      words.isEmpty
      ? nil
      : "<p class=\"hint unprinted\">\(words.map { context.text($0) }.joined(separator: " "))</p>"
    return """
      <div class="clinic-head"><h2><bdi>\(BookingText.name(of: day.clinic, context))</bdi></h2>\
      \(other)\(hint)</div><div class="desk">\(busy.map { section($0, free: hours, day) })</div>\
      \(nobody(with: idle.joined(separator: ", "), isAlone: busy.isEmpty))
      """
  }

  /// Returns the sentence that says from when on arrivals are marked; nil on another day than today,
  /// and if no appointment of the day is too far ahead.
  private func early(_ day: ClinicDay) -> Text? {
    let isEarly = day.bookings.contains {
      $0.status == .booked && $0.obstacle(to: .arrived, at: context.now) != nil
    }
    return day.isToday && isEarly ? "reception.arrived.early" : nil
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
  /// doctor with a free time works.
  private func section(
    _ doctor: ClinicDay.OfDoctor, free hours: ClosedRange<Int>, _ day: ClinicDay
  ) -> HTML {
    let id = doctor.doctor.id
    let name = staffDay.names[id] ?? ""
    let nobody: Text = doctor.off?.isWholeDay == true ? "reception.off" : "reception.nobody"
    let patients: HTML =
      doctor.bookings.isEmpty
      ? "<p class=\"muted\">\(context.text(nobody))</p>"
      : StaffDayRows(doctor: doctor, day: day, staffDay: staffDay).timeline()
    let waitingList: HTML? = staffDay.waitingLists[id].map {
      "<div class=\"whole\">\(waiting(in: $0, of: (id, name), at: day.clinic))</div>"
    }
    let disabled: HTML? =
      doctor.doctor.disabledAt == nil ? nil : " \(context.badge("admin.doctor.disabled"))"
    return """
      <section>\(notice(of: doctor))<div><h3><bdi>\(name)</bdi>\(disabled)\
      \(doctor.off?.badge(context))</h3><p class="secondary-text">\
      \(context.text(doctor.placement.department.specialization.title))</p>\
      \(count(of: doctor, on: day.date, name))</div><div>\(times(of: doctor, in: hours))\
      \(patients)</div>\(waitingList)</section>
      """
  }

  /// Returns the warning that appointments are booked in the time off; nil without any.
  private func notice(of doctor: ClinicDay.OfDoctor) -> HTML? {
    doctor.off?.notice(for: staffDay.reason, context).map { "<div class=\"whole\">\($0)</div>" }
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

  /// Returns the hours of a doctor with free times; nil without any. The hours of all doctors stand
  /// below each other, if they fit. An hour without working time is empty.
  private func times(of doctor: ClinicDay.OfDoctor, in hours: ClosedRange<Int>) -> HTML? {
    if doctor.free.isEmpty { return nil }
    let all = Dictionary(grouping: doctor.times, by: \.local.hour)
    let free = Dictionary(grouping: doctor.free, by: \.local.hour)
    let cells = hours.map { hour -> HTML in
      if let free = free[hour] { return "<li>\(button(free, with: doctor.doctor.id))</li>" }
      guard let first = all[hour]?.first else {
        return "<li class=\"off\" aria-hidden=\"true\"></li>"
      }
      return """
        <li class="full"><s>\(BookingText.time(first, context))</s> \
        <span class="hidden-text">\(context.text("times.full"))</span></li>
        """
    }
    let fits = hours.count <= Self.hoursInRow
    return "<ul class=\"free-times unprinted\(fits ? " hours" : "")\">\(cells)</ul>"
  }

  /// Returns the first free time of an hour, linked to the search for the patient, with the number of
  /// further ones: “10:00 +2”.
  private func button(_ free: [Slot], with doctor: ID<Doctor>) -> HTML {
    var chosen = free[0].choices(with: doctor)
    chosen.append("search", "1")
    let rest: HTML? =
      free.count == 1
      ? nil
      : """
      <bdi class="rest" dir="ltr" aria-hidden="true">+\(context.formats.number(free.count - 1))</bdi>\
      <span class="hidden-text">, \(context.text("find.times.more", count: free.count - 1))</span>
      """
    return context.button(
      showing: "\(BookingText.time(free[0], context))\(rest)",
      to: ReceptionBooking.path.query(chosen), style: [.secondary, .small])
  }
}

/// The waiting lists of the doctors.
extension ReceptionClinics {
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
    let name = staffDay.patients[ticket.person]?.name ?? context.text("queue.unnamed")
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
}
