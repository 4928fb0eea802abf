import PolyclinicCore

/// What can happen at a doctor's desk; each in the caller's transaction.
enum WaitingList {
  /// How far ahead bookings are looked at: nobody waits longer for a call.
  private static let lookahead = Seconds.days(1)

  /// The line at a doctor's desk as it is stored, with the calls that come of themselves.
  static func line(
    of doctor: ID<Doctor>, at now: Instant, on connection: Connection
  ) throws -> WaitingLine {
    try line(
      at: Desk.latest(of: doctor, on: connection), of: doctor, at: now, on: connection)
  }

  private static func line(
    at desk: Desk?, of doctor: ID<Doctor>, at now: Instant, on connection: Connection
  ) throws -> WaitingLine {
    let tickets = try Ticket.active(of: doctor, on: connection)
    guard let desk else {
      let calendar = WaitingLine.Calendar(
        slot: .minutes(0), booked: [], horizon: now, closesAt: now)
      return WaitingLine(tickets, isOpen: false, freeAt: now, calendar: calendar)
    }
    let horizon = max(desk.freeAt, now) + lookahead
    let booked =
      desk.isKept
      ? try DoctorTime.booked(of: doctor, within: desk.freeAt..<horizon, on: connection) : []
    return WaitingLine(
      tickets, isOpen: desk.isKept, freeAt: desk.freeAt,
      calendar: WaitingLine.Calendar(
        slot: desk.slot, booked: booked, horizon: horizon, closesAt: desk.dayEnd))
  }

  /// Stores the calls that have come to pass until now, each once, and claims the doctor's time for
  /// them.
  ///
  /// Whoever changes a doctor's line, bookings, hours or state does this first, in the same
  /// transaction: what is changed then never rewrites who was called. Where no desk is open it does
  /// nothing. A desk without a doctor, or in a department or a clinic that was closed, is closed; one
  /// whose day has ended is closed as of then, behind the calls until then.
  ///
  /// Returns the moment at which the change is to be made: requests look at the clock and then queue up
  /// to write, so one may come behind another that looked later. What is farther ahead than that was
  /// stored while the clock was wrong, and is taken back.
  @discardableResult
  static func settle(
    _ doctor: ID<Doctor>, at asked: Instant, on connection: Connection
  ) throws -> Instant {
    guard var desk = try Desk.latest(of: doctor, on: connection) else { return asked }
    if desk.isFromTheFuture(at: asked),
      let rewound = try desk.rewind(to: asked, of: doctor, on: connection)
    {
      desk = rewound
    }
    let now = max(asked, desk.settledAt)
    guard desk.closedAt == nil else { return now }
    // Also where an earlier release has kept it open for longer.
    let dayEnd = max(desk.dayEnd, desk.settledAt)
    guard desk.isAttended else {
      try desk.close(at: min(now, dayEnd), on: connection)
      return now
    }
    let line = try line(at: desk, of: doctor, at: now, on: connection)
    var freeAt = desk.freeAt
    for place in line.unstored(at: now) {
      guard let treatment = place.treatment else { continue }
      try place.ticket.call(for: treatment, on: connection)
      try DoctorTime.claimTreatment(
        treatment, of: doctor, for: place.ticket.id, on: connection)
      freeAt = treatment.upperBound
    }
    try desk.settled(at: now, freeAt: max(freeAt, now), on: connection)
    if now >= dayEnd { try desk.close(at: dayEnd, on: connection) }
    try Ticket.finishEnded(at: now, on: connection)
    return now
  }

  /// Opens the doctor's desk, unless it is open.
  ///
  /// Throws ``Refusal/conflict(_:)`` for a doctor with whom nothing can be booked.
  static func open(
    _ doctor: Doctor, slotMinutes: Int, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor.id, at: asked, on: connection)
    let before = try Desk.latest(of: doctor.id, on: connection)
    if let before, before.isOpen(at: now) { return }
    guard doctor.disabledAt == nil else { throw Refusal.conflict("queue.disabled") }
    try Desk.open(
      of: doctor.id, slotMinutes: doctor.slotMinutes ?? slotMinutes,
      freeAt: max(before?.freeAt ?? now, now), at: now, on: connection)
  }

  /// Closes the doctor's desk, if it is open: who waits is not called any more, who is treated stays.
  static func close(_ doctor: ID<Doctor>, at asked: Instant, on connection: Connection) throws {
    let now = try settle(doctor, at: asked, on: connection)
    guard let desk = try Desk.latest(of: doctor, on: connection), desk.isOpen(at: now) else {
      return
    }
    try desk.close(at: now, on: connection)
  }

  /// Puts somebody at the end of the line, and calls them at once where the doctor is free; who stands
  /// in it stays there.
  ///
  /// Throws ``Refusal/conflict(_:)`` where the desk is not open.
  static func join(
    _ doctor: ID<Doctor>, _ person: ID<Person>, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    guard let desk = try Desk.latest(of: doctor, on: connection), desk.isOpen(at: now) else {
      throw Refusal.conflict("line.closed.conflict")
    }
    let line = try line(at: desk, of: doctor, at: now, on: connection)
    if line.place(of: person, at: now) != nil { return }
    try connection.run(
      """
      INSERT INTO appointments_tickets (desk, person, number, joined_at)
      VALUES (\(desk.id), \(person), \(try desk.takeNumber(on: connection)), \(now))
      """)
    try settle(doctor, at: now, on: connection)
  }

  /// Takes somebody who was not called out of the line.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the doctor has called the patient, or the patient is not in
  /// the line.
  static func leave(
    _ doctor: ID<Doctor>, _ person: ID<Person>, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    let line = try line(of: doctor, at: now, on: connection)
    guard let place = line.place(of: person, at: now) else {
      throw Refusal.conflict("line.leave.absent")
    }
    guard place.isWaiting(at: now) else { throw Refusal.conflict("line.leave.called") }
    try place.ticket.end(.left, at: now, on: connection)
  }

  /// Ends the treatment at hand, gives back what is left of its time, and calls the next.
  ///
  /// `expected` is whom the doctor sees treated; throws ``Refusal/conflict(_:)`` when it is somebody
  /// else by now, and when nobody is treated.
  static func finish(
    _ doctor: ID<Doctor>, expecting expected: ID<Ticket>?, at asked: Instant,
    on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    guard let desk = try Desk.latest(of: doctor, on: connection) else {
      throw Refusal.conflict("queue.finish.nobody")
    }
    let treated = try line(at: desk, of: doctor, at: now, on: connection).treated(at: now)
    guard treated != nil || desk.freeAt > now else {
      throw Refusal.conflict("queue.finish.nobody")
    }
    if let expected, treated?.ticket.id != expected {
      throw Refusal.conflict("queue.finish.other")
    }
    if let ticket = treated?.ticket {
      try ticket.end(.finished, at: now, on: connection)
      try DoctorTime.release(.ticket(ticket.id), from: now, on: connection)
    }
    try desk.free(at: now, on: connection)
    try settle(doctor, at: now, on: connection)
  }

  /// Ends the treatment at hand and calls the next at once.
  ///
  /// Throws ``Refusal/conflict(_:)`` as ``finish(_:expecting:at:on:)`` does, and where nobody is
  /// treated: who waits then is called of itself as soon as no booked time stands in the way.
  static func callNext(
    _ doctor: ID<Doctor>, expecting expected: ID<Ticket>?, at asked: Instant,
    on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    let desk = try Desk.latest(of: doctor, on: connection)
    let line = try line(at: desk, of: doctor, at: now, on: connection)
    if let desk, desk.freeAt <= now, !line.waiting(at: now).isEmpty {
      throw Refusal.conflict("queue.next.booked")
    }
    try finish(doctor, expecting: expected, at: now, on: connection)
  }
}
