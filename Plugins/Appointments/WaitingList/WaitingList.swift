import PolyclinicCore

/// The operations on a doctor's waiting list. Each runs in the caller's transaction.
enum WaitingList {
  /// The period of bookings that is loaded. No patient waits longer for a call.
  private static let lookahead = Seconds.days(1)

  /// Returns the schedule of a doctor's waiting list, with the stored calls and the expected ones.
  static func schedule(of doctor: ID<Doctor>, in work: Work) throws -> WaitingListSchedule {
    guard let session = try WaitingListSession.latest(of: doctor, in: work) else { return .closed }
    return try schedules(of: [session], in: work)[0]
  }

  /// Returns the schedules of those of the doctors who have ever opened a waiting list. Runs at most
  /// three statements for all of them.
  static func schedules(
    ofDoctors doctors: [ID<Doctor>], in work: Work
  ) throws -> [ID<Doctor>: WaitingListSchedule] {
    let sessions = try WaitingListSession.latest(of: doctors, in: work)
    let schedules = try schedules(of: sessions, in: work)
    return Dictionary(uniqueKeysWithValues: zip(sessions.map(\.doctor), schedules))
  }

  /// Returns the schedules of several doctors' latest sessions, in the same order. Runs at most two
  /// statements for all of them.
  static func schedules(
    of sessions: [WaitingListSession], in work: Work
  ) throws -> [WaitingListSchedule] {
    if sessions.isEmpty { return [] }
    let tickets = try Ticket.active(of: sessions.map(\.doctor), in: work)
    func span(of session: WaitingListSession) -> Range<Instant> {
      session.freeAt..<max(session.freeAt, work.now) + lookahead
    }
    let unclosed = sessions.filter(\.isUnclosed)
    let spans = unclosed.map(span)
    var booked: [ID<Doctor>: [Range<Instant>]] = [:]
    if let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() {
      booked = try ClaimedTime.booked(of: unclosed.map(\.doctor), within: first..<last, in: work)
    }
    return sessions.map { session in
      let span = span(of: session)
      return WaitingListSchedule(
        tickets[session.doctor] ?? [], isOpen: session.isUnclosed, freeAt: session.freeAt,
        calendar: WaitingListSchedule.Calendar(
          slot: session.slot, booked: (booked[session.doctor] ?? []).filter(span.overlaps),
          horizon: span.upperBound, closesAt: session.dayEnd))
    }
  }

  /// Stores each call that is due, once, and claims the doctor's time for it.
  ///
  /// Call this before any change of a doctor's waiting list, bookings, hours or status, in the same
  /// transaction. Otherwise the change would rewrite past calls.
  ///
  /// - Without an open session it does nothing.
  /// - A session that its doctor no longer attends is closed, see
  ///   ``WaitingListSession/isAttended``.
  /// - A session whose day is over is closed as of the end of the day, after the calls until then.
  /// - Times that were stored while the clock was ahead are moved back to that of the work.
  ///
  /// Returns the work at the moment at which to make the change. It can be later: requests read the
  /// clock before they queue for the write transaction, so one can run after another that read a
  /// later time.
  @discardableResult
  static func settle(_ doctor: ID<Doctor>, in work: Work) throws -> Work {
    guard var session = try WaitingListSession.latest(of: doctor, in: work) else { return work }
    if session.isAheadOfClock(at: work.now),
      let movedBack = try session.moveBack(in: work)
    {
      session = movedBack
    }
    let work = work.at(max(work.now, session.settledAt))
    guard session.closedAt == nil else { return work }
    // The later of the two, because another time zone of the clinic moves the end of the day.
    let dayEnd = max(session.dayEnd, session.settledAt)
    guard session.isAttended else {
      try session.close(in: work.at(min(work.now, dayEnd)))
      return work
    }
    let waitingList = try schedules(of: [session], in: work)[0]
    var freeAt = session.freeAt
    for place in waitingList.unstored(at: work.now) {
      guard let treatment = place.treatment else { continue }
      try place.ticket.call(for: treatment, in: work)
      try ClaimedTime.claimTreatment(treatment, of: doctor, for: place.ticket.id, in: work)
      freeAt = treatment.upperBound
    }
    try session.storeSettled(at: work.now, freeAt: max(freeAt, work.now), in: work)
    if work.now >= dayEnd { try session.close(in: work.at(dayEnd)) }
    try Ticket.finishEnded(in: work)
    return work
  }

  /// Stores the calls of several doctors that are due, see ``settle(_:in:)``.
  static func settle(_ doctors: [ID<Doctor>], in work: Work) throws {
    for doctor in doctors { try settle(doctor, in: work) }
  }

  /// Opens a session for the doctor, unless one is open.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the doctor is disabled.
  static func open(_ doctor: Doctor, slotMinutes: Int, in work: Work) throws {
    let work = try settle(doctor.id, in: work)
    let before = try WaitingListSession.latest(of: doctor.id, in: work)
    if let before, before.isOpen(at: work.now) { return }
    guard doctor.disabledAt == nil else { throw Refusal.conflict("queue.disabled") }
    try WaitingListSession.open(
      of: doctor.id, slotMinutes: doctor.slotMinutes ?? slotMinutes,
      freeAt: before.map { $0.isPaused ? work.now : max($0.freeAt, work.now) } ?? work.now, in: work
    )
  }

  /// Closes the doctor's session if it is open. Waiting patients are dismissed; a treatment under
  /// way continues.
  static func close(_ doctor: ID<Doctor>, in work: Work) throws {
    let work = try settle(doctor, in: work)
    guard let session = try WaitingListSession.latest(of: doctor, in: work),
      session.isOpen(at: work.now)
    else {
      return
    }
    try session.close(in: work)
  }

  /// Adds a patient to the end of the list, and calls the patient at once if the doctor is free. A
  /// patient who is already on the list keeps their place.
  ///
  /// Throws ``Refusal/conflict(_:)`` if no session is open.
  static func join(_ doctor: ID<Doctor>, _ person: ID<Person>, in work: Work) throws {
    let work = try settle(doctor, in: work)
    guard let session = try WaitingListSession.latest(of: doctor, in: work),
      session.isOpen(at: work.now)
    else {
      throw Refusal.conflict("line.closed.conflict")
    }
    let waitingList = try schedules(of: [session], in: work)[0]
    if waitingList.place(of: person, at: work.now) != nil { return }
    try work.run(
      """
      INSERT INTO appointments_tickets (session, person, number, joined_at)
      VALUES (\(session.id), \(person), \(try session.takeNumber(in: work)), \(work.now))
      """)
    try settle(doctor, in: work)
  }

  /// Removes a waiting patient from the list.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the patient was called, who can only ``decline(_:_:in:)``,
  /// or is not on the list.
  static func leave(_ doctor: ID<Doctor>, _ person: ID<Person>, in work: Work) throws {
    let work = try settle(doctor, in: work)
    let waitingList = try schedule(of: doctor, in: work)
    guard let place = waitingList.place(of: person, at: work.now) else {
      throw Refusal.conflict("line.leave.absent")
    }
    guard place.isWaiting(at: work.now) else { throw Refusal.conflict("line.leave.called") }
    try place.ticket.end(.left, at: work.now, in: work)
  }

  /// Stores that a called patient cannot come, and returns the ticket. The patient keeps the place
  /// until the doctor settles it.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the patient is not called any more, or has declined
  /// already.
  static func decline(_ doctor: ID<Doctor>, _ person: ID<Person>, in work: Work) throws -> Ticket {
    let work = try settle(doctor, in: work)
    let treated = try schedule(of: doctor, in: work).treated(at: work.now)?.ticket
    guard let treated, treated.person == person else { throw Refusal.conflict("decline.over") }
    guard !treated.isDeclined else { throw Refusal.conflict("decline.done-before") }
    try treated.decline(at: work.now, in: work)
    return treated
  }
}
