import PolyclinicCore

/// A person's place on a doctor's waiting list at a moment.
struct OwnPlace: Sendable {
  let placement: DoctorPlacement
  let waitingList: WaitingListSchedule
  let place: WaitingListSchedule.Place
  let now: Instant

  private static func find(
    of person: ID<Person>, at placement: DoctorPlacement, _ now: Instant, in work: Work
  ) throws -> OwnPlace? {
    let waitingList = try WaitingList.schedule(at: placement, in: work)
    return waitingList.place(of: person, at: now).map {
      OwnPlace(placement: placement, waitingList: waitingList, place: $0, now: now)
    }
  }

  /// Returns all places of a person who waits or is treated, the earliest ticket first.
  static func all(
    of person: ID<Person>, in work: Work
  ) throws -> [OwnPlace] {
    try Ticket.doctors(of: person, in: work).compactMap { doctor in
      try DoctorPlacement.find(doctor, in: work).flatMap {
        try find(of: person, at: $0, work.now, in: work)
      }
    }
  }

  /// Returns the place on the list of the doctor that the `{id}` of the path names. Throws
  /// ``Refusal/conflict(_:)`` if the person is not on it, and ``Refusal/notFound`` for an unknown
  /// doctor.
  private static func inPath(_ context: Context) throws -> OwnPlace {
    guard let placement = try DoctorPlacement.find(context.id(), in: context) else {
      throw Refusal.notFound
    }
    let own = try find(of: context.keys.person, at: placement, context.now, in: context)
    guard let own else { throw Refusal.conflict("line.leave.absent") }
    return own
  }

  /// Returns the place that the person can leave. Throws ``Refusal/conflict(_:)`` if the person was
  /// called.
  static func waitingInPath(_ context: Context) throws -> OwnPlace {
    let own = try inPath(context)
    if own.isCalled { throw Refusal.conflict("line.leave.called") }
    return own
  }

  /// Returns the place whose call the person can decline. Throws ``Refusal/conflict(_:)`` if there
  /// is no call.
  static func calledInPath(_ context: Context) throws -> OwnPlace {
    let own = try inPath(context)
    if !own.isCalled { throw Refusal.conflict("decline.over") }
    if own.place.ticket.isDeclined { throw Refusal.conflict("decline.done-before") }
    return own
  }

  /// True if it is the person's turn.
  var isCalled: Bool { place.isTreated(at: now) }

  /// True if the person is called next.
  var isNext: Bool { !isCalled && waitingList.ahead(of: place, at: now) == 0 }

  /// Returns a sentence each for number, people ahead and time, or one sentence if it is the
  /// person's turn.
  func sentences(_ context: Context) throws -> [String] {
    let doctor = try placement.doctor.name.shown(context)
    let arguments = [
      "number": context.formats.number(place.ticket.number), "doctor": doctor,
    ]
    if isCalled {
      return [
        context.text(place.ticket.isDeclined ? "decline.done" : "line.mine.called", arguments)
      ]
    }
    let ahead = waitingList.ahead(of: place, at: now)
    return [
      context.text("line.mine.waiting", arguments),
      ahead == 0 ? context.text("line.mine.next") : context.text("line.mine.ahead", count: ahead),
      place.treatment.map {
        context.text("line.mine.time", ["time": placement.clock($0.lowerBound, context)])
      } ?? context.text("line.mine.time.unknown"),
    ] + (late(context).map { [$0] } ?? [])
  }

  /// Returns the warning that the patient is seen only after the doctor's hours; nil if that is not
  /// so.
  private func late(_ context: Context) -> String? {
    guard let end = waitingList.joining?.span?.upperBound, let call = place.treatment?.lowerBound,
      call >= end
    else { return nil }
    return context.text("line.late", ["time": placement.clock(end, context)])
  }

  /// Returns the sentences as a message for the head of a page.
  func notice(_ context: Context, actions: HTML? = nil) throws -> HTML {
    let text = try sentences(context).joined(separator: " ")
    return .notice(
      .outcome, "<p>\(text)</p>\(actions)",
      as: isCalled ? .success : isNext ? .warning : .information)
  }
}
