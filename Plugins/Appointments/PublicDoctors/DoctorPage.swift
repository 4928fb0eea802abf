import PolyclinicCore

/// The public page of a doctor: the name, the waiting list in numbers, the next free times, the languages and the
/// weekly hours.
struct DoctorPage {
  let placement: DoctorPlacement
  let waitingList: WaitingListSchedule
  /// The visitor's own place; nil if the visitor is not on the list or has not signed in.
  let own: OwnPlace?
  let viewerRole: ViewerRole
  let hours: WeeklyHours
  let times: NextTimes
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
      let name = try doctor.name.shown(context)
      let list: HTML = """
        <section class="panel"><h2>\(context.text("line.title"))</h2>\
        <p>\(status)</p>\(current)\(joining)</section>\
        \(waiting)
        """
      // A list that takes patients now comes before the times of the days to come.
      let isNow = own != nil || waitingList.isOpen(at: now)
      return Page(
        Text("find.named", ["name": name]),
        """
        <div class="title"><div class="with-initial"><span class="initial" aria-hidden="true">\
        \(initial(of: name))</span><h1><bdi>\(name)</bdi></h1></div></div>\
        <p class="lead">\(place)</p>\(try own?.notice(context))\
        \(isNow ? list : nil)\(booking)\(try details)\(isNow ? nil : list)
        """,
        back: "doctors", hasOwnHeading: true)
    }
  }

  private var place: HTML {
    """
    \(context.text(placement.department.specialization.title)) · \
    <a href="/appointments/clinics/\(placement.clinic.id)">\
    <bdi>\(placement.clinic.name.string(in: context.language))</bdi></a>, \
    <bdi>\(placement.clinic.address.localized(context).city)</bdi>
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
