import PolyclinicCore

/// A session of a doctor's waiting list: patients can join it from its opening to its closing.
///
/// A session that the doctor forgets to close ends with the clinic's day, so that the next day has
/// a new list.
struct WaitingListSession: Sendable {
  let id: ID<WaitingListSession>
  let doctor: ID<Doctor>
  /// The stored time of closing; nil while none is stored.
  let closedAt: Instant?
  /// The length of a treatment, fixed at the opening of the session.
  let slot: Seconds
  /// The earliest time of the next call: the end of a treatment, or the time up to which calls are
  /// stored. It is ``dayEnd`` while the doctor has paused the calls.
  var freeAt: Instant
  /// The time up to which all calls are stored.
  let settledAt: Instant
  /// True if the doctor has an account and is enabled, and the department and the clinic are open.
  let isAttended: Bool

  /// The time at which the doctor opened the session.
  let openedAt: Instant
  /// The end of the clinic's day on which the session was opened.
  let dayEnd: Instant

  /// True if the session is not closed and its doctor still works there. Such a session closes only
  /// at ``dayEnd``.
  var isUnclosed: Bool { closedAt == nil && isAttended }

  /// True if nobody is called until the doctor calls.
  var isPaused: Bool { freeAt == dayEnd }

  /// True if patients can join at `now` and waiting patients are called.
  func isOpen(at now: Instant) -> Bool { isUnclosed && now < dayEnd }
}

extension WaitingListSession {
  private init(_ row: Row) {
    id = row.id(0)
    closedAt = row.optional(1, Row.instant)
    slot = .minutes(row.int(2))
    freeAt = row.instant(3)
    settledAt = row.instant(4)
    isAttended = row.bool(5)
    let zone = Zone(row.string(7)) ?? .utc
    openedAt = row.instant(6)
    let day = LocalDateTime(openedAt, in: zone).date
    dayEnd = zone.start(of: day.adding(days: 1))
    doctor = row.id(8)
  }

  private static let selection: SQL = """
    SELECT id_session, sessions.closed_at, sessions.slot_minutes, free_at, settled_at,
      doctors.person IS NOT NULL AND doctors.disabled_at IS NULL
        AND departments.closed_at IS NULL AND clinics.closed_at IS NULL,
      opened_at, clinics.time_zone, sessions.doctor
    FROM appointments_sessions AS sessions
      JOIN appointments_doctors AS doctors ON id_doctor = sessions.doctor
      JOIN appointments_departments AS departments ON id_department = doctors.department
      JOIN appointments_clinics AS clinics ON id_clinic = departments.clinic
    """

  /// Returns the session that a doctor opened last; nil if there is none.
  static func latest(of doctor: ID<Doctor>, in work: Work) throws -> WaitingListSession? {
    try work.row(
      """
      \(selection) WHERE sessions.doctor = \(doctor) ORDER BY id_session DESC LIMIT 1
      """, WaitingListSession.init)
  }

  /// Returns the session that each of these doctors opened last, if there is one.
  static func latest(of doctors: [ID<Doctor>], in work: Work) throws -> [WaitingListSession] {
    try work.rows(
      """
      \(selection) WHERE id_session IN (SELECT max(id_session) FROM appointments_sessions
        WHERE doctor IN \(list: doctors) GROUP BY doctor)
      ORDER BY id_session
      """, WaitingListSession.init)
  }

  /// Returns the sessions that have no stored closing. For some of them the day may be over.
  static func withoutClosing(in work: Work) throws -> [WaitingListSession] {
    try work.rows(
      "\(selection) WHERE sessions.closed_at IS NULL ORDER BY id_session", WaitingListSession.init)
  }

  /// Returns the doctors whose sessions have no stored closing. For some of them the day may be
  /// over.
  static func openDoctors(in work: Work) throws -> [ID<Doctor>] {
    try work.rows(
      "SELECT doctor FROM appointments_sessions WHERE closed_at IS NULL ORDER BY id_session"
    ) { $0.id(0) }
  }

  /// Opens a session. Its calls begin at `freeAt`, the end of the treatment at the doctor's
  /// previous session.
  static func open(of doctor: ID<Doctor>, slotMinutes: Int, freeAt: Instant, in work: Work) throws {
    try work.run(
      """
      INSERT INTO appointments_sessions (doctor, opened_at, slot_minutes, free_at, settled_at)
      VALUES (\(doctor), \(work.now), \(slotMinutes), \(freeAt), \(work.now))
      """)
  }

  /// Stores the earliest time of the next call.
  func storeFree(at moment: Instant, in work: Work) throws {
    try work.run(
      "UPDATE appointments_sessions SET free_at = \(moment) WHERE id_session = \(id)")
  }

  /// Stores the time up to which all calls are stored, and the earliest time of the next call.
  func storeSettled(at moment: Instant, freeAt: Instant, in work: Work) throws {
    try work.run(
      """
      UPDATE appointments_sessions SET settled_at = \(moment), free_at = \(freeAt)
      WHERE id_session = \(id)
      """)
  }

  /// Returns the next ticket number. Throws ``Refusal/notFound`` if the session does not exist.
  func takeNumber(in work: Work) throws -> Int {
    let number = try work.integer(
      """
      UPDATE appointments_sessions SET last_number = last_number + 1 WHERE id_session = \(id)
      RETURNING last_number
      """)
    guard let number else { throw Refusal.notFound }
    return number
  }

  /// Closes the session, and dismisses the patients who were not called.
  func close(in work: Work) throws {
    try work.run(
      """
      UPDATE appointments_sessions SET closed_at = \(work.now)
      WHERE id_session = \(id) AND closed_at IS NULL
      """)
    try work.run(
      """
      UPDATE appointments_tickets
      SET over_at = \(work.now), outcome = \(Ticket.Outcome.dismissed.rawValue)
      WHERE session = \(id) AND over_at IS NULL AND called_at IS NULL
      """)
  }
}
