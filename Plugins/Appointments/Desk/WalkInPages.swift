import PolyclinicCore

/// The reception's pages that add patients without an appointment to a doctor's waiting list, and
/// remove them.
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
    return try WalkInList.find(of: doctor, context)
  }

  /// Returns the list of the doctor with the ID `{id}`.
  static func list(_ context: Context) throws -> WalkInList {
    try WalkInList.find(of: context.id(), context)
  }

  // A patient who was found

  /// Returns the patient and the expected time. Uses a write transaction, because showing the
  /// patient's name adds an entry to their access log.
  static func question(_ list: WalkInList, _ context: Context) throws -> HTML? {
    let found = try context.write { try patient($0) }
    return """
      \(try list.heading(context))<p class="lead"><strong><bdi>\(found.name)</bdi></strong> \
      <span class="secondary-text">\(found.detail(context))</span> \
      <a class="change" href="\(search(for: list.placement.doctor.id))">\
      \(context.text("reception.search.another"))</a></p>\(list.expectation(context))\
      <input type="hidden" name="\(SealedSearchValue.field)" \
      value="\(context.choices[SealedSearchValue.field])">
      """
  }

  static func join(
    _: Void, _ list: WalkInList, _ context: Context
  ) throws -> Path {
    try list.add(patient(context).person, context)
  }

  private static func patient(
    _ context: Context
  ) throws -> Portal.FoundPerson {
    guard let person = try SealedSearchValue.chosenPatient(in: context),
      let found = try context.portal.people.found(
        person, for: .reception, in: context)
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
    _ newcomer: Portal.Newcomer, _ list: WalkInList, _ context: Context
  ) throws -> Path {
    let work = try context.portal.people.enter(
      newcomer, for: .reception, in: context)
    return try list.add(work.keys.person, context)
  }

  // Removal

  /// Returns the patient's name and the loss of the place. Uses a write transaction, because
  /// showing the name adds an entry to the access log.
  static func removeQuestion(_ ticket: WalkInTicket, _ context: Context) throws -> HTML {
    let name = try context.write { context in
      try context.of([ticket.ticket.person], for: .reception)[ticket.ticket.person].flatMap {
        try context.portal.people.name(in: $0)
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

  /// Returns the place with the ID `{id}`, of a patient who was called or waits. Throws
  /// ``Refusal/notFound`` for a list of another reception, and ``Refusal/conflict(_:)`` for a
  /// patient who has left the list.
  private static func find(
    _ context: Context
  ) throws -> (found: WalkInTicket, isCalled: Bool) {
    let id: ID<Ticket> = try context.id()
    guard let found = try Ticket.find(id, in: context),
      let doctor = try Doctor.find(found.doctor, in: context),
      try Booking.Staff.receptionist(context).canBook(with: doctor.id, in: context)
    else { throw Refusal.notFound }
    let schedule = try WaitingList.schedule(of: doctor.id, in: context)
    let places =
      (schedule.treated(at: context.now).map { [$0] } ?? []) + schedule.waiting(at: context.now)
    guard let place = places.first(where: { $0.ticket.id == id }) else {
      throw Refusal.conflict("reception.line.remove.absent")
    }
    return (
      WalkInTicket(ticket: place.ticket, doctor: doctor), place.isTreated(at: context.now)
    )
  }

  /// Returns the place with the ID `{id}` that the reception may remove. Throws
  /// ``Refusal/conflict(_:)`` if the patient was called.
  static func inPath(_ context: Context) throws -> WalkInTicket {
    let (found, isCalled) = try find(context)
    if isCalled { throw Refusal.conflict("reception.line.remove.called") }
    return found
  }

  /// Stores that the called patient with the ticket `{id}` cannot come, and tells the doctor.
  static func decline(_ context: Context) throws -> Path {
    let found = try find(context).found
    try context.recordChange(
      "log.line.declined", of: [found.ticket.person], for: .reception)
    let ticket = try WaitingList.decline(found.doctor.id, found.ticket.person, in: context)
    try ticket.tellOfDecline(found.doctor, context.portal, in: context)
    return "desk"
  }

  /// Removes the patient, who gets a notice and can read of it in the access log.
  static func remove(
    _ ticket: WalkInTicket, _ context: Context
  ) throws -> Path {
    let (person, doctor) = (ticket.ticket.person, ticket.doctor)
    // The place gives the reception access to the patient's data, so it is removed last.
    try context.recordChange("log.line.removed", of: [person], for: .reception)
    try WaitingList.leave(doctor.id, person, in: context)
    try context.portal.notify(
      person,
      Notice(
        .waitingList,
        Text("notice.removed", values: ["doctor": try doctor.name.value(by: context.portal.keys)]),
        leadingTo: "doctors/\(doctor.id)", once: "removed-\(ticket.ticket.id)",
        expires: context.now + .hours(1)),
      in: context)
    try WaitingList.sendPendingNotices(by: context.portal, in: context)
    return "desk"
  }
}
