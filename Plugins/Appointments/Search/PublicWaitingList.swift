import PolyclinicCore

/// A doctor's waiting list as the doctor's page shows it to a visitor.
struct PublicWaitingList {
  let placement: DoctorPlacement
  /// The place of the visitor, or of the person in care; nil if that person is not on the list.
  let own: OwnPlace?
  let viewerRole: ViewerRole
  /// The doctor's next free times.
  let times: [Availability.Day]
  /// The treatments on the list.
  let schedule: WaitingListSchedule
  /// True if the doctor accepts no new patients and does not know the patient, who then cannot join.
  private let refusesPatient: Bool
  /// True if the visitor asked to join without confirming that they are at the clinic.
  var isUnconfirmed = false
  private let context: Context

  /// The kind of visitor.
  enum ViewerRole {
    case anybody
    /// The doctor whose page it is.
    case doctor
    /// A receptionist of the clinic, who does not join the list in place of a patient.
    case receptionist

    init(of context: Context, at doctor: Doctor) throws {
      self = .anybody
      // A visitor who acts for a child or another dependant joins for that person.
      guard let visitor = context.visitor, try context.keys.person == visitor.person else { return }
      if doctor.person == visitor.person {
        self = .doctor
      } else if try visitor.roles.contains(.receptionist)
        && Receptionist.works(visitor.person, for: doctor.id, in: context)
      {
        self = .receptionist
      }
    }
  }

  /// Loads the list of the doctor in the path. Throws ``Refusal/notFound`` for an unknown doctor.
  init(_ context: Context) throws {
    self.context = context
    let placement = try DoctorPlacement.inPath(context)
    let schedule = try WaitingList.schedule(at: placement, in: context)
    self.placement = placement
    self.schedule = schedule
    own =
      try context.visitor == nil
      ? nil : OwnPlace(of: context.keys.person, on: schedule, at: placement, context)
    viewerRole = try ViewerRole(of: context, at: placement.doctor)
    refusesPatient =
      try context.visitor != nil && viewerRole == .anybody && own == nil
      && placement.doctor.refuses(context.keys.person, in: context)
    times = try Availability.next(5, times: NextTimesView.cells, of: [placement], context)[0]
  }

  private var doctor: ID<Doctor> { placement.doctor.id }
  private var now: Instant { context.now }
  /// The reason why nobody can join the open list at this hour; nil if patients can.
  private var obstacle: Text? { schedule.obstacleToJoining(context) }

  /// True if the list comes before the times of the days to come, because it takes patients now.
  var isNow: Bool { own != nil || schedule.canJoin(at: now) && !refusesPatient }

  /// True if the visitor is called and has not declined.
  var isTurn: Bool { own.map { $0.isCalled && !$0.place.ticket.isDeclined } ?? false }

  /// The state of the list with the action that is open to the visitor, and the waiting patients.
  var html: HTML {
    let content: HTML = "\(status)\(current)\(joining)"
    let panel: HTML? =
      content.isEmpty
      ? nil
      : "<section class=\"panel\"><h2>\(context.text("line.title"))</h2>\(content)</section>"
    return "\(panel)\(waiting)"
  }

  /// The visitor's number and place, which a script watches to tell of the call. They stay in one
  /// place, so that a screen reader announces the change.
  var ownPlace: HTML? {
    guard let own else { return nil }
    let number = context.formats.number(own.place.ticket.number)
    let sentences = own.sentences
    if own.isCalled {
      return TurnCard(
        sentence: sentences[0], call: number, clinic: placement.clinic,
        decline: DeclineCall.path(doctor), isDeclined: own.place.ticket.isDeclined
      ).html(context)
    }
    return """
      <section class="panel\(own.isNext ? " next-turn" : "")" id="call" data-call="" data-waiting="yes" \
      data-title="\(context.text("line.turn"))" \
      data-body="\(BookingText.name(of: placement.clinic, context))" role="status">\
      <h2>\(context.text("line.your-number"))</h2><p class="figure">\(number)</p>\
      \(each: sentences.dropFirst(), { "<p>\($0)</p>" })\
      \(actions: context.scriptButton("line.sound", style: .secondary, attributes: " data-sound hidden"),
        context.button(
          "line.leave", to: LeaveWaitingList.path(doctor), style: [.danger, .secondary]))\
      </section>\(context.browserNoticesInvitation("line.alerts"))
      """
  }

  /// The state of the waiting list, and the expected call of a patient who joins now; nil while it is
  /// closed, and if the visitor has a place on it.
  private var status: HTML? {
    if refusesPatient, schedule.isOpen(at: now) {
      return context.notice(.remark, placement.refusalOfNewPatients, as: .warning)
    }
    return sentence.map { "<p>\($0)</p>\(late)\(earlier)" }
  }

  /// The warning that a patient who joins now is seen only after the doctor's hours, with the next
  /// free time; nil if that is not so.
  private var late: HTML? {
    guard placement.isOpen, own == nil, let hoursEnd = schedule.joining?.span?.upperBound,
      let call = schedule.call(joiningAt: now), call >= hoursEnd
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
      let free = times.firstTime, let call = schedule.call(joiningAt: now),
      free.span.lowerBound < call
    else { return nil }
    let time = placement.clock(free.span.lowerBound, context)
    return context.notice(
      .remark, Text("line.earlier", ["time": time]),
      action: book(free, Text("line.earlier.book", ["time": time])))
  }

  private func book(_ free: Slot, _ label: Text) -> HTML {
    context.button(label, to: free.confirmation(with: doctor), style: [.secondary, .small])
  }

  private var sentence: String? {
    guard placement.isOpen else { return context.text("line.gone") }
    guard schedule.isOpen(at: now), own == nil else { return nil }
    if let obstacle { return context.text(obstacle) }
    guard let call = schedule.call(joiningAt: now) else {
      return context.text("line.open.unknown")
    }
    if call == now { return context.text("line.open.free") }
    return context.text("line.open.later", ["time": placement.clock(call, context)])
  }

  private var current: HTML? {
    schedule.treated(at: now).map { place in
      let number = ["number": context.formats.number(place.ticket.number)]
      return "<p>\(context.text("line.current", number))</p>"
    }
  }

  /// The action that is open to the visitor now.
  private var joining: HTML? {
    guard own == nil, !refusesPatient, schedule.isOpen(at: now),
      viewerRole != .anybody || schedule.canJoin(at: now)
    else { return nil }
    if context.visitor == nil {
      let signIn = Path("/login").query(["next": DoctorPage.path(doctor).description])
      return "\(actions: context.button("line.join.sign-in", to: signIn))"
    }
    // The staff's pages name the waiting patients.
    switch viewerRole {
    case .anybody: return question
    case .doctor: return way(to: DoctorQueuePage.path, "queue.title")
    case .receptionist: return way(to: WalkInList.search(for: doctor), "reception.line.add")
    }
  }

  private func way(to path: Path, _ label: Text) -> HTML {
    "\(actions: context.button(label, to: path, style: .secondary))"
  }

  /// The form that asks whether the visitor is at the clinic, because an absent patient blocks the
  /// doctor.
  private var question: HTML {
    let error: HTML? =
      isUnconfirmed
      ? "<p class=\"error\" id=\"present-error\" role=\"alert\">\(context.text("line.present.required"))</p>"
      : nil
    return """
      <form class="join" method="post" action="\(DoctorPage.joining.path(doctor))">\(context.hiddenFields())\
      <div class="field check\(attribute: " invalid", if: isUnconfirmed)">\
      <input type="checkbox" id="present" name="present" value="yes" required \
      aria-describedby="present-hint\(attribute: " present-error", if: isUnconfirmed)"\
      \(attribute: " aria-invalid=\"true\"", if: isUnconfirmed)>\
      <label for="present">\(context.text("line.present"))</label>\
      <p class="hint" id="present-hint">\(context.text("line.present.hint"))</p>\(error)</div>\
      \(actions: context.submit("line.join"))</form>
      """
  }

  /// The numbers and arrival times of the waiting patients. The page is public, so it shows nothing
  /// else.
  private var waiting: HTML? {
    guard schedule.isOpen(at: now) else { return nil }
    let waiting = schedule.waiting(at: now)
    let display: HTML = """
      <p><a href="\(DisplayPage.path(doctor))">\(context.text("line.display"))</a></p>
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
