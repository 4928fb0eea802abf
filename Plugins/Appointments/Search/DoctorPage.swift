import PolyclinicCore

/// The public page of a doctor: the name, the waiting list in numbers, the next free times, the
/// languages and the weekly hours.
struct DoctorPage {
  let placement: DoctorPlacement
  let waitingList: WaitingListSchedule
  /// The visitor's own place; nil if the visitor is not on the list or has not signed in.
  let own: OwnPlace?
  let viewerRole: ViewerRole
  let hours: WeeklyHours
  let times: [Availability.Day]
  /// True if the visitor asked to join without confirming that they are at the clinic.
  let isUnconfirmed: Bool
  /// The list in which the visitor has found the doctor.
  let origin: (path: Path, label: Text?)
  let context: Context

  /// The seconds between two refreshes of the visitor's own place: within them the browser tells of
  /// a call.
  private static let refresh = 15

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
  /// The reason why nobody can join the open waiting list at this hour; nil if patients can.
  private var joinObstacle: Text? { WaitingListPages.obstacle(toJoining: waitingList, context) }

  var page: Page {
    get throws {
      let name = try doctor.name.shown(context)
      let content: HTML = "\(status)\(current)\(joining)"
      let panel: HTML? =
        content.isEmpty
        ? nil
        : "<section class=\"panel\"><h2>\(context.text("line.title"))</h2>\(content)</section>"
      let list: HTML = "\(panel)\(waiting)"
      // A list that takes patients now comes before the times of the days to come.
      let isNow = own != nil || waitingList.canJoin(at: now)
      var page = Page(
        isTurn ? "line.turn" : Text("find.named", ["name": name]),
        """
        \(try ownPlace)<div class="title"><div class="with-initial"><span class="initial" aria-hidden="true">\
        \(initial(of: name))</span><h1><bdi>\(name)</bdi></h1></div>\(children)</div>\
        <p class="lead">\(place)</p>\
        \(isNow ? list : nil)\(booking)\(try details)\(isNow ? nil : list)
        """,
        back: origin.path, assets: own == nil ? [] : [.call, .browserNotices],
        hasOwnHeading: true,
        refresh: own == nil ? nil : Self.refresh)
      page.backLabel = origin.label
      return page
    }
  }

  private var children: HTML? { placement.childrenBadge(context).map { "<p>\($0)</p>" } }

  /// True if the visitor is called and has not declined.
  private var isTurn: Bool { own.map { $0.isCalled && !$0.place.ticket.isDeclined } ?? false }

  /// The visitor's number and place, which a script watches to tell of the call. They stay in one
  /// place, so that a screen reader announces the change.
  private var ownPlace: HTML? {
    get throws {
      guard let own else { return nil }
      let number = context.formats.number(own.place.ticket.number)
      let queue: Path = "/appointments/doctors/\(doctor.id)/queue"
      if own.isCalled {
        return TurnCard(
          sentence: try own.sentences(context)[0], call: number, clinic: placement.clinic,
          decline: "\(queue)/decline", isDeclined: own.place.ticket.isDeclined
        ).html(context)
      }
      return """
        <section class="panel\(own.isNext ? " next-turn" : "")" id="call" data-call="" data-waiting="yes" \
        data-title="\(context.text("line.turn"))" \
        data-body="\(BookingText.name(of: placement.clinic, context))" role="status">\
        <h2>\(context.text("line.your-number"))</h2><p class="figure">\(number)</p>\
        \(each: try own.sentences(context).dropFirst(), { "<p>\($0)</p>" })\
        \(actions: context.scriptButton("line.sound", style: .secondary, attributes: " data-sound hidden"),
          context.button("line.leave", to: "\(queue)/leave", style: [.danger, .secondary]))\
        </section>\(context.browserNoticesInvitation("line.alerts"))
        """
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

  /// The state of the waiting list, and the expected call of a patient who joins now; nil if the
  /// visitor has a place on the open list.
  private var status: HTML? {
    sentence.map { "<p>\($0)</p>\(late)\(earlier)" }
  }

  /// The warning that a patient who joins now is seen only after the doctor's hours, with the next
  /// free time; nil if that is not so.
  private var late: HTML? {
    guard placement.isOpen, own == nil, let hoursEnd = waitingList.joining?.span?.upperBound,
      let call = waitingList.call(joiningAt: now), call >= hoursEnd
    else { return nil }
    let free = times.firstTime.flatMap { $0.span.lowerBound < call ? nil : $0 }
    return context.notice(
      .remark, Text("line.late", ["time": placement.clock(hoursEnd, context)]),
      action: free.map { free in
        let day = BookingText.shortDay(free.local.date, context)
        let time = placement.clock(free.span.lowerBound, context)
        return book(free, Text("line.late.book", ["day": day, "time": time]))
      })
  }

  /// The free time that a patient who joins now would have to wait beyond; nil if there is none.
  private var earlier: HTML? {
    guard placement.isOpen,
      let free = times.firstTime, let call = waitingList.call(joiningAt: now),
      free.span.lowerBound < call
    else { return nil }
    let time = placement.clock(free.span.lowerBound, context)
    return context.notice(
      .remark, Text("line.earlier", ["time": time]),
      action: book(free, Text("line.earlier.book", ["time": time])))
  }

  private func book(_ free: Slot, _ label: Text) -> HTML {
    context.button(label, to: free.confirmation(with: doctor.id), style: [.secondary, .small])
  }

  private var sentence: String? {
    guard placement.isOpen else { return context.text("line.gone") }
    guard waitingList.isOpen(at: now) else { return context.text("line.closed") }
    if own != nil { return nil }
    if let joinObstacle { return context.text(joinObstacle) }
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
    if own != nil { return nil }
    guard waitingList.isOpen(at: now), viewerRole != .anybody || waitingList.canJoin(at: now) else {
      return nil
    }
    if context.visitor == nil {
      let signIn = Path("/login").query(["next": path.description])
      return """
        \(actions: context.button("line.join.sign-in", to: signIn))
        """
    }
    switch viewerRole {
    case .anybody: return question(path)
    case .doctor: return way(to: "/appointments/queue", "queue.title")
    case .receptionist: return way(to: WalkInPages.search(for: doctor.id), "reception.line.add")
    }
  }

  /// Returns the form that asks whether the visitor is at the clinic, because an absent patient
  /// blocks the doctor.
  private func question(_ path: Path) -> HTML {
    let error: HTML? =
      isUnconfirmed
      ? "<p class=\"error\" id=\"present-error\" role=\"alert\">\(context.text("line.present.required"))</p>"
      : nil
    return """
      <form class="join" method="post" action="\(path)/queue">\(context.hiddenFields())\
      <div class="field check\(attribute: " invalid", if: isUnconfirmed)">\
      <input type="checkbox" id="present" name="present" value="yes" required \
      aria-describedby="present-hint\(attribute: " present-error", if: isUnconfirmed)"\
      \(attribute: " aria-invalid=\"true\"", if: isUnconfirmed)>\
      <label for="present">\(context.text("line.present"))</label>\
      <p class="hint" id="present-hint">\(context.text("line.present.hint"))</p>\(error)</div>\
      \(actions: context.submit("line.join"))</form>
      """
  }

  /// Returns a link to the staff's page, which names the waiting patients.
  private func way(to path: Path, _ label: Text) -> HTML {
    """
    \(actions: context.button(label, to: path, style: .secondary))
    """
  }

  /// The numbers and arrival times of the waiting patients. The page is public, so it shows nothing
  /// else.
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
