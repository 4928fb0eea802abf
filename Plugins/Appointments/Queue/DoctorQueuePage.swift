import PolyclinicCore

/// The page on which a doctor runs the own waiting list.
struct DoctorQueuePage: RoutedPage {
  static let address: Address<Void> = "/appointments/queue"
  static let access = Access.role(.doctor)
  static var route: Route { AutoRefresh.route(of: Self.self) }

  /// The waiting list; nil if no clinic has entered the doctor yet.
  private let view: DoctorQueueView?
  private let context: Context

  /// Loads the list in a write transaction, because showing names adds entries to the patients'
  /// access logs.
  init(_ context: Context) throws {
    self.context = context
    view = try context.write { context in
      try SignedInDoctor.placementIfEntered(context).map { try DoctorQueueView($0, context) }
    }
  }

  var page: Page { view?.page ?? SignedInDoctor.notEntered("queue.title", context) }

  /// A button of the page. The value is the last part of its address.
  enum Button: String, CaseIterable {
    case open, close, next, declined, call, finish, undo

    var path: Path { "\(DoctorQueuePage.path)/\(rawValue)" }

    var route: Route {
      .post(path, access: access, save: { try change($0, press) })
        .leadingBack(to: DoctorQueuePage.path)
    }

    private func press(_ doctor: Doctor, _ context: Context) throws {
      switch self {
      case .open: try DoctorQueuePage.open(doctor, context)
      case .close: try DoctorQueuePage.close(doctor, context)
      case .next: try callNext(doctor, context)
      case .declined: try endDeclined(doctor, context)
      case .call: try booking(of: doctor, context).call(context)
      case .finish: try WaitingList.finish(doctor.id, expecting: ticket(context), in: context)
      case .undo:
        guard let ticket = ticket(context) else { throw Refusal.malformed }
        try WaitingList.undoCall(ticket, of: doctor.id, in: context)
      }
    }
  }

  /// Makes a change to the doctor's own list, notifies the patients, and returns the page.
  fileprivate static func change(
    _ context: Context, _ body: (Doctor, Context) throws -> Void
  ) throws -> Path {
    guard let doctor = try SignedInDoctor.find(context) else {
      throw Refusal.conflict("queue.none")
    }
    try body(doctor, context)
    try WaitingList.sendPendingNotices(by: context.portal, in: context)
    return path
  }

  private static func open(_ doctor: Doctor, _ context: Context) throws {
    guard try DoctorPlacement.find(doctor.id, in: context)?.isOpen == true else {
      throw Refusal.conflict("queue.disabled")
    }
    try WaitingList.open(
      doctor, slotMinutes: context.portal.settings.integer("slot_minutes"), in: context)
  }

  /// Calls the patient whose ticket is in the field `call`, which the page shows while nobody is
  /// treated. Otherwise ends the treatment of the ticket shown, and calls the next patient.
  private static func callNext(_ doctor: Doctor, _ context: Context) throws {
    guard let called = ID<Ticket>(context.request.fields["call"]) else {
      return try WaitingList.finishAndCall(doctor.id, expecting: ticket(context), in: context)
    }
    guard try Booking.called(of: doctor.id, in: context) == nil else {
      throw Refusal.conflict("queue.call.other")
    }
    try WaitingList.call(called, of: doctor.id, in: context)
  }

  /// Ends the call that the patient of the field `ticket` or `appointment` has declined, and calls
  /// the next patient.
  private static func endDeclined(_ doctor: Doctor, _ context: Context) throws {
    guard let id = ticket(context) else {
      return try booking(of: doctor, context).endDeclined(by: .doctor(context), context)
    }
    guard try Ticket.find(id, in: context)?.ticket.isDeclined == true else {
      throw Refusal.conflict("queue.call.other")
    }
    try WaitingList.finishAndCall(doctor.id, expecting: id, as: .left, in: context)
  }

  /// Returns the ticket that the page has shown, because the next patient may be treated by now.
  private static func ticket(_ context: Context) -> ID<Ticket>? {
    ID(context.request.fields["ticket"])
  }

  /// Returns the doctor's booking whose ID is in the field `appointment`.
  private static func booking(of doctor: Doctor, _ context: Context) throws -> Booking {
    guard let id = ID<Appointment>(context.request.fields["appointment"]),
      let booking = try Booking.find(id, in: context), booking.doctor == doctor.id
    else { throw Refusal.notFound }
    return booking
  }

  /// Closes the list. The reception gets a notice of the waiting patients whom the portal cannot
  /// tell.
  private static func close(_ doctor: Doctor, _ context: Context) throws {
    let waiting = try WaitingList.schedule(of: doctor.id, in: context)
      .waiting(at: context.now).map(\.ticket)
    try WaitingList.close(doctor.id, in: context)
    let people = try BookedPatient.withoutAccount(waiting.map(\.person), context)
    let untold = waiting.filter { people.contains($0.person) }
    guard let first = untold.first,
      let placement = try DoctorPlacement.find(doctor.id, in: context)
    else { return }
    let numbers = untold.map { String($0.number) }.joined(separator: ", ")
    let notice = Notice(
      .waitingList,
      Text(
        "notice.closed", ["numbers": numbers],
        values: ["doctor": try doctor.name.value(by: context.portal.keys)]),
      leadingTo: ReceptionDay.path, once: "closed-\(first.session)-\(context.now.seconds)",
      expires: context.now + .hours(1))
    for person in try Receptionist.people(at: placement.clinic.id, in: context) {
      try context.portal.notify(person, notice, in: context)
    }
  }
}

/// The question whether a called patient did not come.
struct MissedCall: RoutedForm {
  static let address: Address<ID<Ticket>> = "/appointments/queue/{id}/noshow"
  static let access = Access.role(.doctor)
  static let title: Text = "queue.noshow.title"
  static let submit: Text = "queue.noshow.yes"
  static let cancel = DoctorQueuePage.path
  static let isQuestion = true
  static var route: Route { Route(Self.self).marking(cancel) }

  private let context: Context

  init(_ context: Context) { self.context = context }

  var about: HTML? {
    get throws {
      let number = context.formats.number(try Ticket.ofDoctor(context).ticket.number)
      return "<p>\(context.text("queue.noshow.question", ["number": number]))</p>"
    }
  }

  /// Ends the call, whose patient did not come.
  func save(_: Void, in context: Context) throws -> Redirect {
    Redirect(
      to: try DoctorQueuePage.change(context) { doctor, context in
        try WaitingList.finish(
          doctor.id, expecting: Self.address.value(in: context), as: .noshow, in: context)
      })
  }
}

/// The card of the doctor's own waiting list.
extension DoctorQueuePage {
  /// Returns the card; nil if no clinic has entered the doctor yet.
  static func card(_ context: Context) throws -> HTML? {
    guard let placement = try SignedInDoctor.placementIfEntered(context) else { return nil }
    let waitingList = try WaitingList.schedule(of: placement.doctor.id, in: context)
    let arrived = try Booking.arrived(at: placement, in: context)
    let treated: HTML? = waitingList.treated(at: context.now).map { place in
      let facts = [
        "number": context.formats.number(place.ticket.number),
        "time": place.treatment.map { placement.clock($0.upperBound, context) } ?? "",
      ]
      return "<p>\(context.text("queue.card.current", facts))</p>"
    }
    let waiting = waitingList.waiting(at: context.now).count + arrived.count
    let state: HTML =
      waitingList.isOpen(at: context.now)
      ? "<p class=\"figure\">\(context.text("line.waiting", count: waiting))</p>"
      : "<p>\(context.text(placement.isOpen ? "queue.closed" : "queue.disabled"))</p>"
    return "\(state)\(treated)\(context.moreLink("queue.card.more", to: path))"
  }
}

extension Booking {
  /// Returns today's appointments whose patients have arrived and wait for a call.
  static func arrived(at placement: DoctorPlacement, in work: Work) throws -> [Booking] {
    let called = try called(of: placement.doctor.id, in: work)
    return try today(at: placement, in: work).filter {
      $0.status == .arrived && $0.id != called?.id
    }
  }

  /// Returns today's appointments that are not over, without the cancelled and completed ones. A
  /// patient who has arrived is still there after the booked time.
  static func today(at placement: DoctorPlacement, in work: Work) throws -> [Booking] {
    let around = work.now - .days(1)..<work.now + .days(1)
    return try open(of: placement.doctor.id, within: around, in: work).filter {
      placement.local($0.span.lowerBound).date == placement.local(work.now).date
        && ($0.span.upperBound > work.now || $0.status == .arrived)
    }
  }
}
