import PolyclinicCore

/// The content of a doctor's own waiting list: the current patient, the waiting patients and
/// today's appointments.
struct DoctorQueueView {
  private let placement: DoctorPlacement
  /// The doctor's name in the doctor's language.
  private let name: String
  private let waitingList: WaitingListSchedule
  private let booked: [Booking]
  /// The booked patient who was called and is being seen; nil if there is none.
  private let called: Booking?
  /// The patients whose data the doctor may open.
  private let patients: [ID<Person>: Portal.ListedPerson]
  /// The waiting patients without an account, whom the portal cannot tell that the list is closed.
  private let untold: [ID<Person>: BookedPatient]
  /// The details of the patient who is treated; nil if none is, or if the doctor may not open them.
  private let details: PatientDetails?
  /// The reason for the visit of the booked patient who was called; empty without one.
  private let visit: Booking.Details?
  /// The hours in which patients can join; nil for no limit.
  private let joining: JoiningHours?
  private let context: Context

  /// The seconds between two refreshes by script, short enough that the page follows calls that
  /// come by themselves.
  private static let refresh = 15

  /// Loads the list. Needs a write transaction, because showing names adds entries to the patients'
  /// access logs.
  init(_ placement: DoctorPlacement, _ context: Context) throws {
    (self.placement, self.context) = (placement, context)
    let (doctor, now) = (placement.doctor, context.now)
    name = try doctor.name.shown(context)
    waitingList = try WaitingList.schedule(of: doctor.id, in: context)
    booked = try Booking.today(at: placement, in: context)
    let called = try Booking.called(of: doctor.id, in: context)
    self.called = called
    patients = try Portal.ListedPerson.patients(
      waitingList.people(at: now) + booked.map(\.patient), for: .care, context)
    let unreachable = try BookedPatient.withoutAccount(
      waitingList.waiting(at: now).map(\.ticket.person), context)
    untold = try BookedPatient.untold(unreachable, for: .care, context)
    let current = try (waitingList.treated(at: now)?.ticket.person ?? called?.patient).flatMap {
      try context.of([$0], for: .care, reading: "log.viewed.visits")[$0]
    }
    details = try current.map {
      try PatientDetails.find(visiting: doctor.id, besides: called?.id, context, in: $0)
    }
    visit = try current.flatMap { try called?.details(by: $0.keys) }
    joining = try JoiningHours.find(at: placement, in: context)
  }

  private var now: Instant { context.now }
  private var treated: WaitingListSchedule.Place? { waitingList.treated(at: now) }
  private var waiting: [WaitingListSchedule.Place] { waitingList.waiting(at: now) }
  private var isOpen: Bool { waitingList.isOpen(at: now) }
  private var isAtWork: Bool { isOpen || treated != nil || called != nil }

  var page: Page {
    // Without scripts, each refresh loads the page anew, so the doctor turns it on.
    let reload = AutoRefresh(path: DoctorQueuePage.path, context: context)
    var page = Page(
      "queue.title",
      """
      \(lead)\(unjoinable)\(isAtWork ? current : nil)\(!isOpen && treated == nil ? closed : nil)\
      \(arrived)\(today)\(isOpen ? closing : nil)
      """,
      actions: isAtWork ? "<noscript>\(reload.button)</noscript>" : nil,
      refresh: isAtWork ? Self.refresh : nil)
    page.reload = isAtWork ? reload.seconds : nil
    return page
  }

  /// The notice that nobody can join the open list at this hour; nil if patients can.
  private var unjoinable: HTML? {
    guard isOpen, let joining, !joining.contains(now) else { return nil }
    let hours = ["hours": joining.weekly.string(context)]
    return context.notice(.remark, Text("queue.join.hours", hours), as: .warning)
  }

  /// The doctor's name, linked to the public page, and the clinic.
  private var lead: HTML {
    """
    <p class="lead"><a href="\(DoctorPage.path(placement.doctor.id))"><bdi>\(name)</bdi></a>\
     · \(placement.place(context))</p>
    """
  }

  /// The panel that says that the list is closed, while nobody is treated.
  private var closed: HTML {
    """
    <section class="panel"><h2>\(context.text("queue.closed"))</h2>\
    <p>\(context.text(open == nil ? "queue.disabled" : "queue.closed.hint"))</p>\(actions: open)</section>
    """
  }

  /// The button that opens the list; nil for a doctor who cannot be booked.
  private var open: HTML? {
    placement.isOpen ? context.button("queue.open", posts: DoctorQueuePage.Button.open.path) : nil
  }

  private var current: HTML {
    """
    <section class="panel" role="status"><h2>\(context.text("queue.current"))</h2>\
    \(treated.map(treatment) ?? called.map(visit) ?? nobody)</section>
    """
  }

  private func treatment(_ place: WaitingListSchedule.Place) -> HTML {
    let times = place.treatment.map { span in
      let (since, until) = (clock(span.lowerBound), clock(span.upperBound))
      return context.text("queue.since-until", ["since": since, "until": until])
    }
    let next = callable.map { button(Text("queue.next", ["number": number($0)]), .next, place) }
    let patient: HTML = """
      <p class="figure">\(number(place))</p><p>\(name(place.ticket.person))<br>\
      <span class="secondary-text">\(times ?? "")</span></p>\(facts)
      """
    if place.ticket.isDeclined {
      return """
        \(context.notice(.problem, Text("queue.declined", ["number": number(place)])))\(patient)\
        \(actions:
          settling(["ticket": place.ticket.id.description]),
          button("queue.finish", .finish, place, .secondary),
          isOpen ? button("reception.booked", .undo, place, .plain) : nil)
        """
    }
    return """
      \(patient)\(actions:
        next,
        button("queue.finish", .finish, place, next == nil ? [] : .secondary),
        context.button(
          "reception.noshow", to: MissedCall.path(place.ticket.id), style: .secondary),
        again(at: TicketFollowUp.path(place.ticket.id)),
        isOpen ? button("reception.booked", .undo, place, .plain) : open)
      """
  }

  /// Returns the one button that settles the call of a patient who cannot come.
  private func settling(_ fields: KeyValuePairs<StaticString, String>) -> HTML {
    let next = callable.map { Text("queue.declined.next", ["number": number($0)]) }
    return context.button(
      next ?? "queue.declined.settle", posts: DoctorQueuePage.Button.declined.path, with: fields)
  }

  /// Returns the booked patient who was called, with the buttons of the page of the appointment.
  private func visit(_ booking: Booking) -> HTML {
    let isDeclined = booking.isDeclined
    return """
      \(isDeclined ? context.notice(.problem, "queue.declined.booked") : nil)\
      \(patient(of: booking))\(facts)\
      \(actions:
        isDeclined ? settling(["appointment": booking.id.description]) : nil,
        buttons(of: booking), again(at: FollowUp.path(booking.id), .small))
      """
  }

  private func buttons(of booking: Booking) -> HTML {
    BookingButtons(
      booking: booking, reason: .care, name: patients[booking.patient]?.name ?? "",
      context: context, isOnQueue: true
    ).content
  }

  /// Returns the name, linked to the appointment, and the booked time below it.
  private func patient(of booking: Booking, _ badge: HTML? = nil) -> HTML {
    let time = context.text("queue.booked-at", ["time": clock(booking.span.lowerBound)])
    return """
      <p><strong>\(link(booking))</strong>\(badge)<br>\
      <span class="secondary-text">\(time)</span></p>
      """
  }

  /// Returns the link to book a follow-up; nil for a doctor who cannot be booked.
  private func again(at base: Path, _ size: HTML.ButtonStyle = []) -> HTML? {
    guard placement.isOpen else { return nil }
    let path = base.query(["doctor": placement.doctor.id.description])
    return context.button("again.title", to: path, style: [.secondary, size])
  }

  /// The first booked patient who has arrived, with the buttons of the page of the appointment; nil
  /// if none has. Patients of the waiting list are called before one who has come early.
  private var arrived: HTML? {
    guard let next = firstArrived else { return nil }
    let isNext = waitingList.calls(before: next.span.lowerBound, at: now) == 0
    let call: HTML? =
      treated == nil && called == nil
      ? context.button(
        "queue.call.booked", posts: DoctorQueuePage.Button.call.path,
        with: ["appointment": next.id.description], style: .small,
        of: patients[next.patient]?.name ?? "") : nil
    return """
      <section class="panel"><h2>\(context.text(isNext ? "queue.arrived.next" : "queue.arrived"))</h2>\
      \(patient(of: next, " \(AppointmentFacts.badge(next, context))"))\
      \(actions: call, buttons(of: next))</section>
      """
  }

  /// The first booked patient who has arrived and was not called; nil if there is none.
  private var firstArrived: Booking? {
    booked.first { $0.status == .arrived && $0.id != called?.id }
  }

  private var facts: HTML? {
    details.map { details in
      let reason: [(label: Text, value: HTML?)] = [
        ("booking.child", visit?.child.shown(context)),
        ("field.purpose", visit.flatMap { AppointmentFacts.purpose($0.purpose) }),
      ]
      return context.facts(
        (reason + details.facts(for: .care, context))
          .map { HTML.Fact($0.label, keepingLines: $0.value) })
    }
  }

  /// The first waiting patient; nil if an appointment whose patient is still to be seen prevents a
  /// call now.
  private var callable: WaitingListSchedule.Place? {
    (called?.isDeclined ?? true) && bookedNext == nil ? waiting.first : nil
  }

  /// The first appointment that a whole treatment from now on would meet; nil if it would meet
  /// none.
  private var bookedNext: Booking? {
    let needed = now..<now + waitingList.slot
    return booked.first { $0.span.overlaps(needed) && !$0.isDeclined }
  }

  /// Returns a button that submits the ticket of the patient shown, because the next patient may be
  /// treated by the time of the click.
  private func button(
    _ label: Text, _ button: DoctorQueuePage.Button, _ place: WaitingListSchedule.Place,
    _ style: HTML.ButtonStyle = []
  ) -> HTML {
    context.button(
      label, posts: button.path, with: ["ticket": place.ticket.id.description], style: style)
  }

  private var nobody: HTML {
    "<p>\(nextCall)</p>\(absent ?? soon)\(actions: callableBeforeBooked.map(call))"
  }

  /// The first waiting patient; nil while an appointment is under way. The doctor may call into a
  /// time that is too short for a whole treatment.
  private var callableBeforeBooked: WaitingListSchedule.Place? {
    called == nil && !booked.contains { $0.span.contains(now) } ? waiting.first : nil
  }

  /// The sentence that an appointment begins before a whole treatment would be over; nil without
  /// one.
  private var soon: HTML? {
    guard callableBeforeBooked != nil, let next = bookedNext else { return nil }
    let time = ["time": clock(next.span.lowerBound)]
    return "<p>\(context.text("queue.booked-soon", time))</p>"
  }

  /// The appointment under way whose patient has not arrived while others wait, with its buttons;
  /// nil without one.
  private var absent: HTML? {
    guard called == nil, !waiting.isEmpty,
      let late = booked.first(where: { $0.status == .booked && $0.span.contains(now) })
    else { return nil }
    return """
      <p>\(context.text("queue.booked-absent"))</p>\(patient(of: late))\(actions: buttons(of: late))
      """
  }

  /// The sentence that nobody is treated, with the time of the next call, or that the calls are
  /// paused.
  private var nextCall: String {
    let next = waiting.first?.treatment?.lowerBound
    if next == nil, !waiting.isEmpty, waitingList.call(joiningAt: now) == nil {
      return context.text("queue.paused")
    }
    guard firstArrived == nil, let next else { return context.text("queue.nobody") }
    let time = clock(next)
    guard let place = callableBeforeBooked else {
      return context.text("queue.next-at", ["time": time])
    }
    return context.text("queue.next-at.or-now", ["number": number(place), "time": time])
  }

  /// Returns the button that calls a waiting patient while nobody is treated.
  private func call(_ place: WaitingListSchedule.Place) -> HTML {
    context.button(
      Text("queue.call", ["number": number(place)]), posts: DoctorQueuePage.Button.next.path,
      with: ["call": place.ticket.id.description])
  }

  private func number(_ place: WaitingListSchedule.Place) -> String {
    context.formats.number(place.ticket.number)
  }

  private func clock(_ moment: Instant) -> String { placement.clock(moment, context) }

  private func link(_ booked: Booking) -> HTML {
    "<a href=\"\(StaffAppointmentPage.path(booked.id))\">\(name(booked.patient))</a>"
  }

  private func name(_ person: ID<Person>) -> HTML {
    patients[person].map { "<bdi>\($0.name)</bdi>" }
      ?? "<span class=\"muted\">\(context.text("queue.unnamed"))</span>"
  }
}

/// The table of the waiting patients and today's appointments, in the order of their times.
extension DoctorQueueView {
  /// Returns the table; nil if nobody comes and the list is closed.
  private var today: HTML? {
    let entries =
      waiting.map(Entry.waiting) + booked.filter { $0.id != called?.id }.map(Entry.booked)
    if entries.isEmpty {
      return isOpen ? "<p class=\"muted\">\(context.text("queue.empty"))</p>" : nil
    }
    let rows = entries.sorted { $0.time < $1.time }
    let arrived = booked.count { $0.status == .arrived && $0.id != called?.id }
    let coming = booked.count { $0.status == .booked }
    return """
      <div class="scroll"><table class="data stack">\
      <caption>\(context.text("line.waiting", count: waiting.count + arrived)), \
      \(context.text("queue.booked", count: coming))</caption><thead><tr>\
      <th scope="col">\(context.text("queue.time"))</th>\
      <th scope="col">\(context.text("queue.who"))</th>\
      <th scope="col">\(context.text("queue.how"))</th></tr></thead>\
      <tbody>\(each: rows, row)</tbody></table></div>
      """
  }

  private enum Entry {
    case waiting(WaitingListSchedule.Place)
    case booked(Booking)

    /// The expected time; in the far future if it is unknown.
    var time: Instant {
      switch self {
      case .waiting(let place): place.treatment?.lowerBound ?? Instant(.max)
      case .booked(let booked): booked.span.lowerBound
      }
    }
  }

  private func row(_ entry: Entry) -> HTML {
    let (who, how, person): (HTML, HTML, ID<Person>) =
      switch entry {
      case .waiting(let place): (name(place.ticket.person), arrival(place), place.ticket.person)
      case .booked(let booked): (link(booked), booking(booked), booked.patient)
      }
    let details: HTML? = patients[person]?.ageAndSex(context).map {
      "<br><span class=\"secondary-text\">\($0)</span>"
    }
    let time = entry.time == Instant(.max) ? "–" : clock(entry.time)
    return """
      <tr><th scope="row">\(time)</th>\
      <td data-label="">\(who)\(details)</td>\
      <td data-label="">\(how)</td></tr>
      """
  }

  private func arrival(_ place: WaitingListSchedule.Place) -> HTML {
    let facts = ["number": number(place), "time": clock(place.ticket.joinedAt)]
    return "\(context.text("queue.waiting-since", facts))"
  }

  private func booking(_ booked: Booking) -> HTML {
    let until = ["time": clock(booked.span.upperBound)]
    let arrived: HTML? =
      booked.status == .arrived ? " \(AppointmentFacts.badge(booked, context))" : nil
    return "\(context.text("queue.booked-until", until))\(arrived)"
  }
}

/// The closing of the doctor's own waiting list.
extension DoctorQueueView {
  /// The confirmation, on the page itself, because waiting patients lose their places.
  private var closing: HTML {
    let told = waiting.count { untold[$0.ticket.person] == nil }
    let consequence =
      told == 0
      ? context.text("queue.close.nobody") : context.text("queue.close.told", count: told)
    return """
      <details class="panel"><summary>\(context.text("queue.close"))</summary>\
      <p>\(consequence)</p>\(untoldList)\(context.button(
        "queue.close.yes", posts: DoctorQueuePage.Button.close.path, style: .danger))</details>\
      <p><a href="\(DisplayPage.path(placement.doctor.id))">\
      \(context.text("line.display"))</a></p>
      """
  }

  /// The waiting patients whom the doctor has to tell, with their telephone numbers; nil if there
  /// are none.
  private var untoldList: HTML? {
    let rows = waiting.compactMap { place in
      untold[place.ticket.person]?.row(
        context.text(Text("reception.line.number", ["number": number(place)])), context)
    }
    if rows.isEmpty { return nil }
    return "<p>\(context.text("queue.close.untold", count: rows.count))</p>\(rows: rows)"
  }
}
