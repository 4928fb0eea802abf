import PolyclinicCore

/// A person's place on a doctor's waiting list, at the moment of a request.
struct OwnPlace {
  let placement: DoctorPlacement
  let place: WaitingListSchedule.Place
  /// The doctor's name in the reader's language.
  let doctor: String
  private let waitingList: WaitingListSchedule
  private let context: Context

  /// Returns nil for a person who neither waits nor is treated.
  init?(
    of person: ID<Person>, on waitingList: WaitingListSchedule, at placement: DoctorPlacement,
    _ context: Context
  ) throws {
    guard let place = waitingList.place(of: person, at: context.now) else { return nil }
    self.placement = placement
    self.place = place
    self.waitingList = waitingList
    self.context = context
    doctor = try placement.doctor.name.shown(context)
  }

  /// Returns all places of a person who waits or is treated, the earliest ticket first.
  static func all(of person: ID<Person>, _ context: Context) throws -> [OwnPlace] {
    try Ticket.doctors(of: person, in: context).compactMap { doctor in
      guard let placement = try DoctorPlacement.find(doctor, in: context) else { return nil }
      let waitingList = try WaitingList.schedule(at: placement, in: context)
      return try OwnPlace(of: person, on: waitingList, at: placement, context)
    }
  }

  /// Returns the place on the list of the doctor in the path. Throws ``Refusal/conflict(_:)`` if
  /// the person is not on it, and ``Refusal/notFound`` for an unknown doctor.
  static func inPath(_ context: Context) throws -> OwnPlace {
    let placement = try DoctorPlacement.inPath(context)
    let waitingList = try WaitingList.schedule(at: placement, in: context)
    guard
      let own = try OwnPlace(of: context.keys.person, on: waitingList, at: placement, context)
    else { throw Refusal.conflict("line.leave.absent") }
    return own
  }

  /// True if it is the person's turn.
  var isCalled: Bool { place.isTreated(at: context.now) }

  /// True if the person is called next.
  var isNext: Bool { !isCalled && ahead == 0 }

  private var ahead: Int { waitingList.ahead(of: place, at: context.now) }

  /// A sentence each for number, people ahead and time, or one sentence if it is the person's turn.
  var sentences: [String] {
    let arguments = [
      "number": context.formats.number(place.ticket.number), "doctor": doctor,
    ]
    if isCalled {
      return [
        context.text(place.ticket.isDeclined ? "decline.done" : "line.mine.called", arguments)
      ]
    }
    return [
      context.text("line.mine.waiting", arguments),
      ahead == 0 ? context.text("line.mine.next") : context.text("line.mine.ahead", count: ahead),
      place.treatment.map {
        context.text("line.mine.time", ["time": placement.clock($0.lowerBound, context)])
      } ?? context.text("line.mine.time.unknown"),
    ] + (late.map { [$0] } ?? [])
  }

  /// The warning that the patient is seen only after the doctor's hours; nil if that is not so.
  private var late: String? {
    guard let end = waitingList.joining?.span?.upperBound, let call = place.treatment?.lowerBound,
      call >= end
    else { return nil }
    return context.text("line.late", ["time": placement.clock(end, context)])
  }

  /// Returns the sentences as a message for the head of a page.
  func notice(actions: HTML) -> HTML {
    .notice(
      .outcome, "<p>\(sentences.joined(separator: " "))</p>\(actions)",
      as: isCalled ? .success : isNext ? .warning : .information)
  }

  /// Returns the sentences and a question about the place.
  func asking(_ question: Text) -> HTML {
    "\(each: sentences, { "<p>\($0)</p>" })<p>\(context.text(question))</p>"
  }
}

extension OwnPlace {
  /// Puts a person's places with their expected times before all else that is due. Returns no card.
  static func due(_ context: Context, _ due: inout [HTML]) throws -> HTML? {
    due =
      try all(of: context.keys.person, context).map { own in
        let rest = own.sentences.dropFirst().joined(separator: " ")
        return .row(
          to: DoctorPage.path(own.placement.doctor.id), "\(own.sentences[0])",
          detail: rest.isEmpty ? nil : "\(rest)", lead: context.icon(.clock))
      } + due
    return nil
  }
}

/// The card that tells a called patient to go in, above everything else on a page. `call.js`
/// announces it.
struct TurnCard {
  /// The sentence with the doctor's name.
  let sentence: String
  /// The value whose change tells of another call: the number on the list, or the time of the
  /// appointment.
  let call: String
  let clinic: Clinic
  /// The page on which the patient tells the doctor that they cannot come.
  let decline: Path
  /// True if the patient has told so already.
  let isDeclined: Bool

  func html(_ context: Context) -> HTML {
    if isDeclined {
      return """
        <section class="panel" id="call" role="status"><h2>\(context.text("decline.done"))</h2>\
        <p>\(context.text("decline.done.hint"))</p></section>
        """
    }
    return """
      <section class="turn" id="call" data-call="\(call)" data-waiting="yes" \
      data-title="\(context.text("line.turn"))" \
      data-body="\(clinic.name.string(in: context.language))" role="status">\
      <p class="figure">\(context.text("line.turn.go"))</p>\
      <p><strong>\(context.text("line.turn")).</strong> \(sentence)</p>\(actions: context.button(
        "decline.link", to: decline, style: .secondary))</section>
      """
  }
}

extension Page.Asset {
  /// The script that announces a call on a waiting list.
  static let call = Page.Asset("call.js", PackageResources.call_js)
}
