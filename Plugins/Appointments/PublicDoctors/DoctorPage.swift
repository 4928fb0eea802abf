import PolyclinicCore

/// The public page of a doctor: the name, the waiting list in numbers, the next free time and the weekly hours.
struct DoctorPage {
  let placement: DoctorPlacement
  let waitingList: WaitingListSchedule
  /// The visitor's own place; nil if the visitor is not on the list or has not signed in.
  let own: OwnPlace?
  let viewerRole: ViewerRole
  let hours: WeeklyHours
  /// The next free time; nil if there is none in the days to come.
  let nextTime: BookableTime?
  let context: Context

  /// The kind of visitor.
  enum ViewerRole {
    case anybody
    /// The doctor whose page it is.
    case doctor
    /// A receptionist of the clinic, who does not join the list in place of a patient.
    case receptionist
  }

  private var doctor: Doctor { placement.doctor }
  private var now: Instant { context.now }

  var page: Page {
    get throws {
      let name = try doctor.name.opened(by: context.portal.keys)
      return Page(
        "line.page",
        """
        <div class="title"><div class="with-initial"><span class="initial" aria-hidden="true">\
        \(initial(of: name))</span><h1><bdi>\(name)</bdi></h1></div></div>\
        <p class="lead">\(place)</p>\(try own?.notice(context))\
        <section class="panel"><h2>\(context.text("line.title"))</h2>\
        <p>\(status)</p>\(current)\(joining)</section>\
        \(waiting)\(booking)\(week)
        """,
        back: "doctors", hasOwnHeading: true)
    }
  }

  private var place: HTML {
    """
    \(context.text(placement.department.specialization.title)) · \
    <a href="/appointments/clinics/\(placement.clinic.id)">\
    <bdi>\(placement.clinic.name.string(in: context.language))</bdi></a>
    """
  }

  /// The state of the waiting list, and the expected call of a patient who joins now.
  private var status: String {
    guard placement.isOpen else { return context.text("line.gone") }
    guard waitingList.isOpen(at: now) else { return context.text("line.closed") }
    guard let call = waitingList.call(joiningAt: now) else {
      return context.text("line.open.unknown")
    }
    if call == now { return context.text("line.open.free") }
    return context.text("line.open.later", ["time": placement.clock(call, context)])
  }

  private var current: HTML? {
    waitingList.treated(at: now).map { place in
      let number = ["number": context.formats.number(place.ticket.number)]
      return "<p>\(context.text("line.current", number))</p>"
    }
  }

  /// The action that is open to the visitor now.
  private var joining: HTML? {
    let path: Path = "/appointments/doctors/\(doctor.id)"
    if let own {
      if own.isCalled { return nil }
      return """
        \(actions: context.button(
          "line.leave", posts: "\(path)/queue/leave", style: [.danger, .secondary]))
        """
    }
    guard waitingList.isOpen(at: now) else { return nil }
    if context.visitor == nil {
      let signIn = Path("/login").query(["next": path.description])
      return """
        \(actions: context.button("line.join.sign-in", to: signIn))
        """
    }
    switch viewerRole {
    case .anybody:
      return """
        \(actions: context.button("line.join", posts: "\(path)/queue"))
        """
    case .doctor: return way(to: "/appointments/queue", "queue.title")
    case .receptionist: return way(to: "/appointments/desk", "desk.title")
    }
  }

  /// Returns a link to the staff's page, which names the waiting patients.
  private func way(to path: Path, _ label: Text) -> HTML {
    """
    \(actions: context.button(label, to: path, style: .secondary))
    """
  }

  /// The next free time, and a link to all others.
  private var booking: HTML? {
    guard placement.isOpen else { return nil }
    let all: Path = "/appointments/new"
    let others: HTML = context.button(
      "line.book.all", to: all.query(["doctor": doctor.id.description]), style: .secondary)
    guard let nextTime else {
      return """
        <section class="panel"><h2>\(context.text("line.book"))</h2>\
        <p>\(context.text("line.book.none"))</p>\(actions: others)</section>
        """
    }
    let path = all.query([
      "doctor": doctor.id.description, "date": nextTime.local.date.description,
      "time": String(nextTime.local.description.suffix(5)),
      "offset": nextTime.offset ?? "",
    ])
    let time = ["time": placement.dateTime(nextTime.span.lowerBound, context)]
    return """
      <section class="panel"><h2>\(context.text("line.book"))</h2>\
      <p>\(context.text("line.book.next", time))</p>\
      \(actions:
        context.button("line.book.this", to: path, style: .secondary),
        others)</section>
      """
  }

  /// The weekly hours; nil if the doctor cannot be booked.
  private var week: HTML? {
    guard placement.isOpen else { return nil }
    let lines: HTML =
      hours.isEmpty
      ? "<dd>\(context.text("line.hours.none"))</dd>"
      : "\(hours.lines(context))\(WeeklyHours.zoneNote(placement.clinic.zone, context))"
    return context.facts([HTML.Fact("line.hours", values: lines)])
  }

  /// The numbers and arrival times of the waiting patients. The page is public, so it shows nothing else.
  private var waiting: HTML? {
    guard waitingList.isOpen(at: now) else { return nil }
    let waiting = waitingList.waiting(at: now)
    let display: HTML = """
      <p><a href="/appointments/doctors/\(doctor.id)/display">\(context.text("line.display"))</a></p>
      """
    if waiting.isEmpty {
      return "<p class=\"muted\">\(context.text("line.nobody"))</p>\(display)"
    }
    return """
      <div class="scroll"><table class="data"><caption>\
      \(context.text("line.waiting", count: waiting.count))</caption>\
      <thead><tr><th scope="col">\(context.text("line.number"))</th>\
      <th scope="col">\(context.text("line.joined"))</th></tr></thead>\
      <tbody>\(each: waiting, row)</tbody></table></div>\(display)
      """
  }

  private func row(_ place: WaitingListSchedule.Place) -> HTML {
    let isOwn = place.ticket.id == own?.place.ticket.id
    let mark: HTML? = isOwn ? " \(context.badge("line.you"))" : nil
    return """
      <tr><th scope="row">\(context.formats.number(place.ticket.number))\(mark)</th>\
      <td>\(placement.clock(place.ticket.joinedAt, context))</td></tr>
      """
  }
}
