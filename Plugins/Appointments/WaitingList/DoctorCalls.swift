import PolyclinicCore

/// The buttons with which the doctor ends treatments and calls patients.
///
/// Waiting patients are called by themselves as soon as the doctor is free, but no button does more
/// than it says: a finished treatment alone calls nobody.
extension WaitingList {
  /// Ends the current treatment and releases the rest of its time. If the next patient would be
  /// called at once, the calls pause until the doctor calls.
  ///
  /// `outcome` is the end that the doctor reports: the patient was seen, or did not come.
  /// `expected` is the ticket that the doctor's page showed as current. Throws
  /// ``Refusal/conflict(_:)`` if another patient is treated by now, or none.
  static func finish(
    _ doctor: ID<Doctor>, expecting expected: ID<Ticket>?, as outcome: Ticket.Outcome = .finished,
    in work: Work
  ) throws {
    let work = try settle(doctor, in: work)
    try pauseIfDue(endTreatment(of: doctor, expecting: expected, as: outcome, in: work), in: work)
  }

  /// Pauses the calls until the doctor calls, if the next patient would be called at once.
  private static func pauseIfDue(_ session: WaitingListSession, in work: Work) throws {
    let isDue = try !schedule(of: session.doctor, in: work).unstored(at: work.now).isEmpty
    if isDue { try session.storeFree(at: session.dayEnd, in: work) }
    try settle(session.doctor, in: work)
  }

  /// Ends the current treatment and calls the next patient at once. `outcome` is the end that the
  /// doctor reports.
  ///
  /// Throws ``Refusal/conflict(_:)`` as ``finish(_:expecting:as:in:)`` does, and if no patient is
  /// treated although some wait for the end of an appointment.
  static func finishAndCall(
    _ doctor: ID<Doctor>, expecting expected: ID<Ticket>?, as outcome: Ticket.Outcome = .finished,
    in work: Work
  ) throws {
    let work = try settle(doctor, in: work)
    let session = try WaitingListSession.latest(of: doctor, in: work)
    let waitingList = try schedule(of: doctor, in: work)
    if let session, session.freeAt <= work.now, !waitingList.waiting(at: work.now).isEmpty {
      throw Refusal.conflict("queue.next.booked")
    }
    try endTreatment(of: doctor, expecting: expected, as: outcome, in: work)
    try callNext(of: doctor, in: work)
  }

  /// Frees the doctor, whose patient is gone, and calls the next patient if there is time for a
  /// whole treatment.
  static func callNext(of doctor: ID<Doctor>, in work: Work) throws {
    let work = try settle(doctor, in: work)
    guard let session = try WaitingListSession.latest(of: doctor, in: work),
      session.isOpen(at: work.now),
      try schedule(of: doctor, in: work).treated(at: work.now) == nil
    else { return }
    try ClaimedTime.releaseSeen(of: doctor, in: work)
    try session.storeFree(at: work.now, in: work)
    try settle(doctor, in: work)
  }

  /// Calls the first waiting patient while nobody is treated: the calls are paused, the patient of
  /// the present appointment was seen before its end, or the doctor uses the time until the next
  /// appointment, which is shorter than a whole treatment.
  ///
  /// Throws ``Refusal/conflict(_:)`` if another patient is treated or comes first by now, or if an
  /// appointment is under way. Does nothing for a patient who has been called meanwhile.
  static func call(_ ticket: ID<Ticket>, of doctor: ID<Doctor>, in work: Work) throws {
    let work = try settle(doctor, in: work)
    let before = try schedule(of: doctor, in: work)
    let treated = before.treated(at: work.now)?.ticket.id
    if treated == ticket { return }
    guard treated == nil, before.waiting(at: work.now).first?.ticket.id == ticket else {
      throw Refusal.conflict("queue.call.other")
    }
    try ClaimedTime.releaseSeen(of: doctor, in: work)
    let session = try WaitingListSession.latest(of: doctor, in: work)
    try session?.storeFree(at: work.now, in: work)
    try settle(doctor, in: work)
    let after = try schedule(of: doctor, in: work)
    if after.treated(at: work.now) != nil { return }
    guard let first = after.waiting(at: work.now).first, let gap = after.gap(at: work.now) else {
      throw Refusal.conflict("queue.next.booked")
    }
    try first.ticket.call(for: gap, in: work)
    try ClaimedTime.claimTreatment(gap, of: doctor, for: first.ticket.id, in: work)
    try session?.storeFree(at: gap.upperBound, in: work)
  }

  /// Takes back the call of a patient, who waits at the same place again. The calls pause until the
  /// doctor calls.
  ///
  /// Throws ``Refusal/conflict(_:)`` if another patient is treated by now, or if the list is
  /// closed.
  static func undoCall(_ ticket: ID<Ticket>, of doctor: ID<Doctor>, in work: Work) throws {
    let work = try settle(doctor, in: work)
    let treated = try schedule(of: doctor, in: work).treated(at: work.now)?.ticket
    guard let treated, treated.id == ticket,
      let session = try WaitingListSession.latest(of: doctor, in: work),
      session.id == treated.session, session.isOpen(at: work.now)
    else { throw Refusal.conflict("queue.undo.other") }
    try treated.undoCall(in: work)
    try ClaimedTime.release(.ticket(ticket), from: work.now, in: work)
    try session.storeFree(at: session.dayEnd, in: work)
    try settle(doctor, in: work)
  }

  /// Calls nobody for `length`, because the doctor sees a patient with an appointment. Calls that
  /// the doctor has paused stay paused.
  ///
  /// Throws ``Refusal/conflict(_:)`` if a patient of the list is treated by now.
  static func pauseCalls(of doctor: ID<Doctor>, for length: Seconds, in work: Work) throws {
    let work = try settle(doctor, in: work)
    guard try schedule(of: doctor, in: work).treated(at: work.now) == nil else {
      throw Refusal.conflict("queue.call.other")
    }
    guard let session = try WaitingListSession.latest(of: doctor, in: work),
      session.isOpen(at: work.now)
    else { return }
    let end = min(work.now + length, session.dayEnd)
    try session.storeFree(at: max(session.freeAt, end), in: work)
  }

  /// Takes back ``pauseCalls(of:for:in:)``. If the next patient would be called at once, the calls
  /// pause until the doctor calls.
  static func resumeCalls(of doctor: ID<Doctor>, in work: Work) throws {
    let work = try settle(doctor, in: work)
    guard let session = try WaitingListSession.latest(of: doctor, in: work),
      session.isOpen(at: work.now), !session.isPaused,
      try schedule(of: doctor, in: work).treated(at: work.now) == nil
    else { return }
    try session.storeFree(at: work.now, in: work)
    try pauseIfDue(session, in: work)
  }

  /// Ends the current treatment, frees the doctor from `now` on, and returns the session as it was.
  @discardableResult
  private static func endTreatment(
    of doctor: ID<Doctor>, expecting expected: ID<Ticket>?, as outcome: Ticket.Outcome = .finished,
    in work: Work
  ) throws -> WaitingListSession {
    guard let session = try WaitingListSession.latest(of: doctor, in: work) else {
      throw Refusal.conflict("queue.finish.nobody")
    }
    let treated = try schedule(of: doctor, in: work).treated(at: work.now)
    guard treated != nil || session.freeAt > work.now && !session.isPaused else {
      throw Refusal.conflict("queue.finish.nobody")
    }
    if let expected, treated?.ticket.id != expected {
      throw Refusal.conflict("queue.finish.other")
    }
    if let ticket = treated?.ticket {
      try ticket.end(outcome, at: work.now, in: work)
      try ClaimedTime.release(.ticket(ticket.id), from: work.now, in: work)
    }
    try session.storeFree(at: work.now, in: work)
    return session
  }
}
