import PolyclinicCore

/// A person's place on a doctor's waiting list at a moment.
struct OwnPlace: Sendable {
  let placement: DoctorPlacement
  let waitingList: WaitingListSchedule
  let place: WaitingListSchedule.Place
  let now: Instant

  /// Returns all places of a person who waits or is treated, the earliest ticket first.
  static func all(
    of person: ID<Person>, at now: Instant, on connection: Connection
  ) throws -> [OwnPlace] {
    try Ticket.doctors(of: person, on: connection).compactMap { doctor in
      let waitingList = try WaitingList.schedule(of: doctor, at: now, on: connection)
      guard let place = waitingList.place(of: person, at: now),
        let placement = try DoctorPlacement.find(doctor, on: connection)
      else { return nil }
      return OwnPlace(placement: placement, waitingList: waitingList, place: place, now: now)
    }
  }

  /// True if it is the person's turn.
  var isCalled: Bool { place.isTreated(at: now) }

  /// True while the person may still leave the list.
  var canLeave: Bool { place.canLeave(at: now) }

  /// Returns a sentence each for number, people ahead and time, or one sentence if it is the person's turn.
  func sentences(_ context: Context) throws -> [String] {
    let doctor = try placement.doctor.name.shown(context)
    let arguments = [
      "number": context.formats.number(place.ticket.number), "doctor": doctor,
    ]
    if isCalled { return [context.text("line.mine.called", arguments)] }
    let ahead = waitingList.ahead(of: place, at: now)
    return [
      context.text("line.mine.waiting", arguments),
      ahead == 0 ? context.text("line.mine.next") : context.text("line.mine.ahead", count: ahead),
      place.treatment.map {
        context.text("line.mine.time", ["time": placement.clock($0.lowerBound, context)])
      } ?? context.text("line.mine.time.unknown"),
    ]
  }

  /// Returns the sentences as a message for the head of a page.
  func notice(_ context: Context, actions: HTML? = nil) throws -> HTML {
    let text = try sentences(context).joined(separator: " ")
    return .notice(.outcome, "<p>\(text)</p>\(actions)", as: isCalled ? .success : .information)
  }
}
