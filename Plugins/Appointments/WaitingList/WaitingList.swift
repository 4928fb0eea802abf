import PolyclinicCore

/// The operations on a doctor's waiting list. Each runs in the caller's transaction.
enum WaitingList {
  /// The period of bookings that is loaded. No patient waits longer for a call.
  private static let lookahead = Seconds.days(1)

  /// Returns the schedule of a doctor's waiting list, with the stored calls and the expected ones.
  static func schedule(
    of doctor: ID<Doctor>, at now: Instant, on connection: Connection
  ) throws -> WaitingListSchedule {
    try schedule(
      at: WaitingListSession.latest(of: doctor, on: connection), of: doctor, at: now, on: connection
    )
  }

  private static func schedule(
    at session: WaitingListSession?, of doctor: ID<Doctor>, at now: Instant,
    on connection: Connection
  ) throws -> WaitingListSchedule {
    let tickets = try Ticket.active(of: doctor, on: connection)
    guard let session else {
      let calendar = WaitingListSchedule.Calendar(
        slot: .minutes(0), booked: [], horizon: now, closesAt: now)
      return WaitingListSchedule(tickets, isOpen: false, freeAt: now, calendar: calendar)
    }
    let horizon = max(session.freeAt, now) + lookahead
    let booked =
      session.isUnclosed
      ? try DoctorTime.booked(of: doctor, within: session.freeAt..<horizon, on: connection) : []
    return WaitingListSchedule(
      tickets, isOpen: session.isUnclosed, freeAt: session.freeAt,
      calendar: WaitingListSchedule.Calendar(
        slot: session.slot, booked: booked, horizon: horizon, closesAt: session.dayEnd))
  }

  /// Stores each call that is due, once, and claims the doctor's time for it.
  ///
  /// Call this before any change of a doctor's waiting list, bookings, hours or status, in the same transaction.
  /// Otherwise the change would rewrite past calls.
  ///
  /// - Without an open session it does nothing.
  /// - A session that its doctor no longer attends is closed, see ``WaitingListSession/isAttended``.
  /// - A session whose day is over is closed as of the end of the day, after the calls until then.
  /// - Times that were stored while the clock was ahead are moved back to `asked`.
  ///
  /// Returns the moment at which to make the change. It can be later than `asked`: requests read the clock before
  /// they queue for the write transaction, so one can run after another that read a later time.
  @discardableResult
  static func settle(
    _ doctor: ID<Doctor>, at asked: Instant, on connection: Connection
  ) throws -> Instant {
    guard var session = try WaitingListSession.latest(of: doctor, on: connection) else {
      return asked
    }
    if session.isAheadOfClock(at: asked),
      let movedBack = try session.moveBack(to: asked, of: doctor, on: connection)
    {
      session = movedBack
    }
    let now = max(asked, session.settledAt)
    guard session.closedAt == nil else { return now }
    // The later of the two, because another time zone of the clinic moves the end of the day.
    let dayEnd = max(session.dayEnd, session.settledAt)
    guard session.isAttended else {
      try session.close(at: min(now, dayEnd), on: connection)
      return now
    }
    let waitingList = try schedule(at: session, of: doctor, at: now, on: connection)
    var freeAt = session.freeAt
    for place in waitingList.unstored(at: now) {
      guard let treatment = place.treatment else { continue }
      try place.ticket.call(for: treatment, on: connection)
      try DoctorTime.claimTreatment(
        treatment, of: doctor, for: place.ticket.id, on: connection)
      freeAt = treatment.upperBound
    }
    try session.storeSettled(at: now, freeAt: max(freeAt, now), on: connection)
    if now >= dayEnd { try session.close(at: dayEnd, on: connection) }
    try Ticket.finishEnded(at: now, on: connection)
    return now
  }

  /// Stores the calls of several doctors that are due, see ``settle(_:at:on:)``.
  static func settle(
    _ doctors: [ID<Doctor>], at now: Instant, on connection: Connection
  ) throws {
    for doctor in doctors { try settle(doctor, at: now, on: connection) }
  }

  /// Opens a session for the doctor, unless one is open.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the doctor is disabled.
  static func open(
    _ doctor: Doctor, slotMinutes: Int, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor.id, at: asked, on: connection)
    let before = try WaitingListSession.latest(of: doctor.id, on: connection)
    if let before, before.isOpen(at: now) { return }
    guard doctor.disabledAt == nil else { throw Refusal.conflict("queue.disabled") }
    try WaitingListSession.open(
      of: doctor.id, slotMinutes: doctor.slotMinutes ?? slotMinutes,
      freeAt: before.map { $0.isPaused ? now : max($0.freeAt, now) } ?? now, at: now,
      on: connection)
  }

  /// Closes the doctor's session if it is open. Waiting patients are dismissed; a treatment under way continues.
  static func close(_ doctor: ID<Doctor>, at asked: Instant, on connection: Connection) throws {
    let now = try settle(doctor, at: asked, on: connection)
    guard let session = try WaitingListSession.latest(of: doctor, on: connection),
      session.isOpen(at: now)
    else {
      return
    }
    try session.close(at: now, on: connection)
  }

  /// Adds a patient to the end of the list, and calls the patient at once if the doctor is free. A patient who is
  /// already on the list keeps their place.
  ///
  /// Throws ``Refusal/conflict(_:)`` if no session is open.
  static func join(
    _ doctor: ID<Doctor>, _ person: ID<Person>, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    guard let session = try WaitingListSession.latest(of: doctor, on: connection),
      session.isOpen(at: now)
    else {
      throw Refusal.conflict("line.closed.conflict")
    }
    let waitingList = try schedule(at: session, of: doctor, at: now, on: connection)
    if waitingList.place(of: person, at: now) != nil { return }
    try connection.run(
      """
      INSERT INTO appointments_tickets (session, person, number, joined_at)
      VALUES (\(session.id), \(person), \(try session.takeNumber(on: connection)), \(now))
      """)
    try settle(doctor, at: now, on: connection)
  }

  /// Removes a waiting patient from the list.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the patient was called, who can only ``decline(_:_:at:on:)``, or is not on the
  /// list.
  static func leave(
    _ doctor: ID<Doctor>, _ person: ID<Person>, at asked: Instant, on connection: Connection
  ) throws {
    let now = try settle(doctor, at: asked, on: connection)
    let waitingList = try schedule(of: doctor, at: now, on: connection)
    guard let place = waitingList.place(of: person, at: now) else {
      throw Refusal.conflict("line.leave.absent")
    }
    guard place.isWaiting(at: now) else { throw Refusal.conflict("line.leave.called") }
    try place.ticket.end(.left, at: now, on: connection)
  }

  /// Stores that a called patient cannot come, and returns the ticket. The patient keeps the place until the doctor
  /// settles it.
  ///
  /// Throws ``Refusal/conflict(_:)`` if the patient is not called any more, or has declined already.
  static func decline(
    _ doctor: ID<Doctor>, _ person: ID<Person>, at asked: Instant, on connection: Connection
  ) throws -> Ticket {
    let now = try settle(doctor, at: asked, on: connection)
    let treated = try schedule(of: doctor, at: now, on: connection).treated(at: now)?.ticket
    guard let treated, treated.person == person else { throw Refusal.conflict("decline.over") }
    guard !treated.isDeclined else { throw Refusal.conflict("decline.done-before") }
    try treated.decline(at: now, on: connection)
    return treated
  }
}
