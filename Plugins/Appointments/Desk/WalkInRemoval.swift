import PolyclinicCore

/// The reception's question before it removes a patient from a doctor's waiting list.
struct WalkInRemoval: RoutedForm {
  static let address: Address<ID<Ticket>> = "/appointments/desk/tickets/{id}/remove"
  static let access = Access.role(.receptionist)
  static let title: Text = "reception.line.remove.title"
  static let submit: Text = "reception.line.remove.yes"
  static let cancel = ReceptionDay.path
  static let isQuestion = true
  static var route: Route { Route(Self.self).marking(cancel).saying("reception.line.removed") }

  private let place: WalkInTicket
  private let context: Context

  /// Throws ``Refusal/conflict(_:)`` if the patient was called.
  init(_ context: Context) throws {
    self.context = context
    place = try WalkInTicket(context)
    if place.isCalled { throw Refusal.conflict("reception.line.remove.called") }
  }

  /// The patient's name and the loss of the place. They are read in a write transaction, because
  /// showing the name adds an entry to the access log.
  var about: HTML? {
    get throws {
      let ticket = place.ticket
      let name = try context.write { context in
        try context.of([ticket.person], for: .reception, reading: "log.viewed.list")[
          ticket.person
        ].flatMap { try context.portal.people.name(in: $0) }
      }
      let number = ["number": context.formats.number(ticket.number)]
      return """
        <p class="lead"><bdi>\(name ?? context.text("queue.unnamed"))</bdi> · \
        \(context.text(Text("reception.line.number", number)))</p>\
        <p>\(context.text("reception.line.remove.question"))</p>
        """
    }
  }

  /// Removes the patient, who gets a notice and can read of it in the access log.
  func save(_: Void, in context: Context) throws -> Redirect {
    let (ticket, doctor, person) = (place.ticket, place.doctor, place.ticket.person)
    // The place gives the reception access to the patient's data, so it is removed last.
    try context.recordChange("log.line.removed", of: [person], for: .reception)
    try WaitingList.leave(doctor.id, person, in: context)
    try context.portal.notify(
      person,
      Notice(
        .waitingList,
        Text("notice.removed", values: ["doctor": try doctor.name.value(by: context.portal.keys)]),
        leadingTo: DoctorPage.path(doctor.id), once: "removed-\(ticket.id)",
        expires: context.now + .hours(1)),
      in: context)
    try WaitingList.sendPendingNotices(by: context.portal, in: context)
    return Redirect(to: Self.cancel)
  }
}

/// A place on a waiting list of the reception, of a patient who was called or waits.
struct WalkInTicket {
  /// The button for a called patient who cannot come.
  static let decline: Address<ID<Ticket>> = "/appointments/desk/tickets/{id}/decline"
  static var route: Route {
    .post(decline.pattern, access: .role(.receptionist), save: decline)
      .leadingBack(to: ReceptionDay.path)
  }

  let ticket: Ticket
  let doctor: Doctor
  let isCalled: Bool

  /// Finds the place with the ID `{id}`. Throws ``Refusal/notFound`` for a list of another
  /// reception, and ``Refusal/conflict(_:)`` for a patient who has left the list.
  init(_ context: Context) throws {
    let id: ID<Ticket> = try context.id()
    guard let found = try Ticket.find(id, in: context),
      let doctor = try Doctor.find(found.doctor, in: context),
      try Booking.Staff.receptionist(context).canBook(with: doctor.id, in: context)
    else { throw Refusal.notFound }
    let schedule = try WaitingList.schedule(of: doctor.id, in: context)
    guard let place = schedule.place(of: found.ticket.person, at: context.now),
      place.ticket.id == id
    else { throw Refusal.conflict("reception.line.remove.absent") }
    (ticket, isCalled) = (place.ticket, place.isTreated(at: context.now))
    self.doctor = doctor
  }

  /// Stores that the called patient cannot come, and tells the doctor.
  private static func decline(_ context: Context) throws -> Path {
    let place = try WalkInTicket(context)
    let (person, doctor) = (place.ticket.person, place.doctor)
    try context.recordChange("log.line.declined", of: [person], for: .reception)
    let ticket = try WaitingList.decline(doctor.id, person, in: context)
    try ticket.tellOfDecline(doctor, context.portal, in: context)
    return ReceptionDay.path
  }
}
