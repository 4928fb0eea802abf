import PolyclinicCore

/// The reception's pages that add patients without an appointment to a doctor's waiting list, and remove them.
enum WalkInPages {
  /// Returns the address of the search for the patient.
  static func search(for doctor: ID<Doctor>) -> Path {
    PatientSearchPage.path.query(["list": doctor.description])
  }

  /// Returns the list in the query of the search; nil if it has none.
  static func listInQuery(_ context: Context) throws -> WalkInList? {
    let list = context.request.query["list"]
    if list.isEmpty { return nil }
    guard let doctor = ID<Doctor>(list) else { throw Refusal.notFound }
    return try context.database.read { try WalkInList.find(of: doctor, context, on: $0) }
  }

  /// Returns the list of the doctor with the ID `{id}`.
  static func list(_ context: Context, _ connection: Connection) throws -> WalkInList {
    try WalkInList.find(of: context.id(), context, on: connection)
  }

  // A patient who was found

  /// Returns the patient and the expected time. Uses a write transaction, because showing the patient's name adds an
  /// entry to their access log.
  static func question(_ list: WalkInList, _ context: Context) throws -> HTML? {
    let found = try context.database.write { try patient(context, on: $0) }
    return """
      \(try list.heading(context))<p class="lead"><strong><bdi>\(found.name)</bdi></strong> \
      <span class="secondary-text">\(found.detail(context))</span> \
      <a class="change" href="\(search(for: list.placement.doctor.id))">\
      \(context.text("reception.search.another"))</a></p>\(list.expectation(context))\
      <input type="hidden" name="\(SealedSearchValue.field)" \
      value="\(RequestedTime.fields(context)[SealedSearchValue.field])">
      """
  }

  static func join(
    _: Void, _ list: WalkInList, _ context: Context, _ connection: Connection
  ) throws -> Path {
    try list.add(patient(context, on: connection).person, context, on: connection)
  }

  private static func patient(
    _ context: Context, on connection: Connection
  ) throws -> Portal.FoundPerson {
    guard let person = try SealedSearchValue.chosenPatient(in: context),
      let found = try context.portal.people.found(
        person, for: .reception, asking: context.signedIn(), on: connection)
    else { throw Refusal.notFound }
    return found
  }

  // A new patient

  static func aboutNewPatient(_ list: WalkInList, _ context: Context) throws -> HTML? {
    let kept = Fields(["list": list.placement.doctor.id.description])
    return """
      \(try KnownPatients.notice(keeping: kept, context))\(try list.heading(context))\
      \(list.expectation(context))
      """
  }

  static func joinNewPatient(
    _ newcomer: Portal.Newcomer, _ list: WalkInList, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let keys = try context.portal.people.enter(
      newcomer, for: .reception, by: context.signedIn(), on: connection)
    return try list.add(keys.person, context, on: connection)
  }

  // Removal

  /// Returns the patient's name and the loss of the place. Uses a write transaction, because showing the name adds an
  /// entry to the access log.
  static func removeQuestion(_ ticket: WalkInTicket, _ context: Context) throws -> HTML {
    let name = try context.database.write { connection in
      let keys = try context.keys(of: [ticket.ticket.person], for: .reception, on: connection)
      return try keys[ticket.ticket.person].flatMap {
        try context.portal.people.name(by: $0, on: connection)
      }
    }
    let number = ["number": context.formats.number(ticket.ticket.number)]
    return """
      <p class="lead"><bdi>\(name ?? context.text("queue.unnamed"))</bdi> · \
      \(context.text(Text("reception.line.number", number)))</p>\
      <p>\(context.text("reception.line.remove.question"))</p>
      """
  }
}

/// A place on a waiting list of the reception.
struct WalkInTicket: Sendable {
  let ticket: Ticket
  private let doctor: Doctor

  /// Returns the place with the ID `{id}`, of a patient who was called or waits. Throws ``Refusal/notFound`` for a list of
  /// another reception, and ``Refusal/conflict(_:)`` for a patient who has left the list.
  private static func find(
    _ context: Context, on connection: Connection
  ) throws -> (found: WalkInTicket, isCalled: Bool) {
    let id: ID<Ticket> = try context.id()
    guard let found = try Ticket.find(id, on: connection),
      let doctor = try Doctor.find(found.doctor, on: connection),
      try Booking.Staff.receptionist(context).canBook(with: doctor.id, on: connection)
    else { throw Refusal.notFound }
    let schedule = try WaitingList.schedule(of: doctor.id, at: context.now, on: connection)
    let places =
      (schedule.treated(at: context.now).map { [$0] } ?? []) + schedule.waiting(at: context.now)
    guard let place = places.first(where: { $0.ticket.id == id }) else {
      throw Refusal.conflict("reception.line.remove.absent")
    }
    return (
      WalkInTicket(ticket: place.ticket, doctor: doctor), place.isTreated(at: context.now)
    )
  }

  /// Returns the place with the ID `{id}` that the reception may remove. Throws ``Refusal/conflict(_:)`` if the patient
  /// was called.
  static func inPath(_ context: Context, on connection: Connection) throws -> WalkInTicket {
    let (found, isCalled) = try find(context, on: connection)
    if isCalled { throw Refusal.conflict("reception.line.remove.called") }
    return found
  }

  /// Stores that the called patient with the ticket `{id}` cannot come, and tells the doctor.
  static func decline(_ context: Context, _ connection: Connection) throws -> Path {
    let found = try find(context, on: connection).found
    try context.recordChange(
      "log.line.declined", of: [found.ticket.person], for: .reception, on: connection)
    let ticket = try WaitingList.decline(
      found.doctor.id, found.ticket.person, at: context.now, on: connection)
    try ticket.tellOfDecline(found.doctor, context.portal, on: connection)
    return "desk"
  }

  /// Removes the patient, who gets a notice and can read of it in the access log.
  static func remove(
    _ ticket: WalkInTicket, _ context: Context, _ connection: Connection
  ) throws -> Path {
    let (person, doctor) = (ticket.ticket.person, ticket.doctor)
    // The place gives the reception access to the patient's data, so it is removed last.
    try context.recordChange("log.line.removed", of: [person], for: .reception, on: connection)
    try WaitingList.leave(doctor.id, person, at: context.now, on: connection)
    try context.portal.notify(
      person,
      Notice(
        .waitingList,
        Text("notice.removed", values: ["doctor": try doctor.name.value(by: context.portal.keys)]),
        leadingTo: "doctors/\(doctor.id)", once: "removed-\(ticket.ticket.id)",
        expires: context.now + .hours(1)),
      on: connection)
    try WaitingList.sendPendingNotices(by: context.portal, on: connection)
    return "desk"
  }
}
