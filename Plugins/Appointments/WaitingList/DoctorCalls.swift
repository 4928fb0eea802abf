import PolyclinicCore

/// The buttons with which the doctor ends treatments and calls patients.
///
/// Waiting patients are called by themselves as soon as the doctor is free, but no button does more than it says:
/// a finished treatment alone calls nobody.
extension WaitingList {
  /// Ends the current treatment and releases the rest of its time. If the next patient would be called at once, the
  /// calls pause until the doctor calls.
  ///
  /// `outcome` is the end that the doctor reports: the patient was seen, or did not come. `expected` is the ticket that
  /// the doctor's page showed as current. Throws ``Refusal/conflict(_:)`` if another patient is treated by now, or none.
  static func finish(
    _ doctor: ID<Doctor>, expecting expected: ID<Ticket>?, as outcome: Ticket.Outcome = .finished,
    at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    let session = try endTreatment(
      of: doctor, expecting: expected, as: outcome, at: now, on: connection)
    try pauseIfDue(session, of: doctor, at: now, on: connection)
  }

  /// Pauses the calls until the doctor calls, if the next patient would be called at once.
  private static func pauseIfDue(
    _ session: WaitingListSession, of doctor: ID<Doctor>, at now: Instant,
    on connection: Connection
  ) throws {
    let isDue = try !schedule(of: doctor, at: now, on: connection).unstored(at: now).isEmpty
    if isDue { try session.storeFree(at: session.dayEnd, on: connection) }
    try settle(doctor, at: now, on: connection)
  }

  /// Ends the current treatment and calls the next patient at once. `outcome` is the end that the doctor reports.
  ///
  /// Throws ``Refusal/conflict(_:)`` as ``finish(_:expecting:as:at:on:)`` does, and if no patient is treated although
  /// some wait for the end of an appointment.
  static func finishAndCall(
    _ doctor: ID<Doctor>, expecting expected: ID<Ticket>?, as outcome: Ticket.Outcome = .finished,
    at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    let session = try WaitingListSession.latest(of: doctor, on: connection)
    let waitingList = try schedule(of: doctor, at: now, on: connection)
    if let session, session.freeAt <= now, !waitingList.waiting(at: now).isEmpty {
      throw Refusal.conflict("queue.next.booked")
    }
    try endTreatment(of: doctor, expecting: expected, as: outcome, at: now, on: connection)
    try callNext(of: doctor, at: now, on: connection)
  }

  /// Frees the doctor, whose patient is gone, and calls the next patient if there is time for a whole treatment.
  static func callNext(
    of doctor: ID<Doctor>, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    guard let session = try WaitingListSession.latest(of: doctor, on: connection),
      session.isOpen(at: now),
      try schedule(of: doctor, at: now, on: connection).treated(at: now) == nil
    else { return }
    try DoctorTime.releaseSeen(of: doctor, at: now, on: connection)
    try session.storeFree(at: now, on: connection)
    try settle(doctor, at: now, on: connection)
  }

  /// Calls the first waiting patient while nobody is treated: the calls are paused, the patient of the present
  /// appointment was seen before its end, or the doctor uses the time until the next appointment, which is shorter than
  /// a whole treatment.
  ///
  /// Throws ``Refusal/conflict(_:)`` if another patient is treated or comes first by now, or if an appointment is under
  /// way. Does nothing for a patient who has been called meanwhile.
  static func call(
    _ ticket: ID<Ticket>, of doctor: ID<Doctor>, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    let before = try schedule(of: doctor, at: now, on: connection)
    let treated = before.treated(at: now)?.ticket.id
    if treated == ticket { return }
    guard treated == nil, before.waiting(at: now).first?.ticket.id == ticket else {
      throw Refusal.conflict("queue.call.other")
    }
    try DoctorTime.releaseSeen(of: doctor, at: now, on: connection)
    let session = try WaitingListSession.latest(of: doctor, on: connection)
    try session?.storeFree(at: now, on: connection)
    try settle(doctor, at: now, on: connection)
    let after = try schedule(of: doctor, at: now, on: connection)
    if after.treated(at: now) != nil { return }
    guard let first = after.waiting(at: now).first, let gap = after.gap(at: now) else {
      throw Refusal.conflict("queue.next.booked")
    }
    try first.ticket.call(for: gap, on: connection)
    try DoctorTime.claimTreatment(gap, of: doctor, for: first.ticket.id, on: connection)
    try session?.storeFree(at: gap.upperBound, on: connection)
  }

  /// Takes back the call of a patient, who waits at the same place again. The calls pause until the doctor calls.
  ///
  /// Throws ``Refusal/conflict(_:)`` if another patient is treated by now, or if the list is closed.
  static func undoCall(
    _ ticket: ID<Ticket>, of doctor: ID<Doctor>, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    let treated = try schedule(of: doctor, at: now, on: connection).treated(at: now)?.ticket
    guard let treated, treated.id == ticket,
      let session = try WaitingListSession.latest(of: doctor, on: connection),
      session.id == treated.session, session.isOpen(at: now)
    else { throw Refusal.conflict("queue.undo.other") }
    try treated.undoCall(on: connection)
    try DoctorTime.release(.ticket(ticket), from: now, on: connection)
    try session.storeFree(at: session.dayEnd, on: connection)
    try settle(doctor, at: now, on: connection)
  }

  /// Calls nobody for `length`, because the doctor sees a patient with an appointment. Calls that the doctor has paused
  /// stay paused.
  ///
  /// Throws ``Refusal/conflict(_:)`` if a patient of the list is treated by now.
  static func pauseCalls(
    of doctor: ID<Doctor>, for length: Seconds, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    guard try schedule(of: doctor, at: now, on: connection).treated(at: now) == nil else {
      throw Refusal.conflict("queue.call.other")
    }
    guard let session = try WaitingListSession.latest(of: doctor, on: connection),
      session.isOpen(at: now)
    else { return }
    let end = min(now + length, session.dayEnd)
    try session.storeFree(at: max(session.freeAt, end), on: connection)
  }

  /// Takes back ``pauseCalls(of:for:at:on:)``. If the next patient would be called at once, the calls pause until the
  /// doctor calls.
  static func resumeCalls(
    of doctor: ID<Doctor>, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    guard let session = try WaitingListSession.latest(of: doctor, on: connection),
      session.isOpen(at: now), !session.isPaused,
      try schedule(of: doctor, at: now, on: connection).treated(at: now) == nil
    else { return }
    try session.storeFree(at: now, on: connection)
    try pauseIfDue(session, of: doctor, at: now, on: connection)
  }

  /// Ends the current treatment, frees the doctor from `now` on, and returns the session as it was.
  @discardableResult
  private static func endTreatment(
    of doctor: ID<Doctor>, expecting expected: ID<Ticket>?, as outcome: Ticket.Outcome = .finished,
    at now: Instant, on connection: Connection
  ) throws -> WaitingListSession {
    guard let session = try WaitingListSession.latest(of: doctor, on: connection) else {
      throw Refusal.conflict("queue.finish.nobody")
    }
    let treated = try schedule(of: doctor, at: now, on: connection).treated(at: now)
    guard treated != nil || session.freeAt > now && !session.isPaused else {
      throw Refusal.conflict("queue.finish.nobody")
    }
    if let expected, treated?.ticket.id != expected {
      throw Refusal.conflict("queue.finish.other")
    }
    if let ticket = treated?.ticket {
      try ticket.end(outcome, at: now, on: connection)
      try DoctorTime.release(.ticket(ticket.id), from: now, on: connection)
    }
    try session.storeFree(at: now, on: connection)
    return session
  }
}
