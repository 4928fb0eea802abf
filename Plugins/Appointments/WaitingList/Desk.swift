import PolyclinicCore

/// A doctor's desk: from when the doctor opened it until it was closed, patients join its line.
///
/// One that was forgotten closes of itself when the clinic's day ends: tomorrow's line is another.
struct Desk: Sendable {
  let id: ID<Desk>
  /// Nil as long as nobody has closed it.
  let closedAt: Instant?
  /// How long a treatment takes; as it was when the desk was opened.
  let slot: Seconds
  /// Nobody is called before: a treatment lasts until then, or all until then is stored.
  var freeAt: Instant
  /// Until when all that has come to pass is stored.
  let settledAt: Instant
  /// Whether there is still a doctor at it, in a department and a clinic that are not closed.
  let isAttended: Bool

  /// The end of the clinic's day on which it was opened.
  let dayEnd: Instant

  /// Whether it was neither closed nor left by its doctor; only the end of the day can close it then.
  var isKept: Bool { closedAt == nil && isAttended }

  /// Whether patients can join at a moment, and those who wait are called.
  func isOpen(at now: Instant) -> Bool { isKept && now < dayEnd }
}

extension Desk {
  private init(_ row: Row) {
    id = row.id(0)
    closedAt = row.optional(1, Row.instant)
    slot = .minutes(row.int(2))
    freeAt = row.instant(3)
    settledAt = row.instant(4)
    isAttended = row.bool(5)
    let zone = Zone(row.string(7)) ?? .utc
    let day = LocalDateTime(row.instant(6), in: zone).date
    dayEnd = zone.start(of: day.adding(days: 1))
  }

  /// The desk that a doctor opened last; nil where none was ever opened.
  static func latest(of doctor: ID<Doctor>, on connection: Connection) throws -> Desk? {
    try connection.row(
      """
      SELECT id_desk, desks.closed_at, desks.slot_minutes, free_at, settled_at,
        doctors.person IS NOT NULL AND doctors.disabled_at IS NULL
          AND departments.closed_at IS NULL AND clinics.closed_at IS NULL,
        opened_at, clinics.time_zone
      FROM appointments_desks AS desks
        JOIN appointments_doctors AS doctors ON id_doctor = desks.doctor
        JOIN appointments_departments AS departments ON id_department = doctors.department
        JOIN appointments_clinics AS clinics ON id_clinic = departments.clinic
      WHERE desks.doctor = \(doctor) ORDER BY id_desk DESC LIMIT 1
      """, Desk.init)
  }

  /// The doctors whose desks nobody has closed, and no end of a day that is stored.
  static func openDoctors(on connection: Connection) throws -> [ID<Doctor>] {
    try connection.rows(
      "SELECT doctor FROM appointments_desks WHERE closed_at IS NULL ORDER BY id_desk"
    ) { $0.id(0) }
  }

  /// Opens one; it is free when the doctor has finished at the one before.
  static func open(
    of doctor: ID<Doctor>, slotMinutes: Int, freeAt: Instant, at now: Instant,
    on connection: Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO appointments_desks (doctor, opened_at, slot_minutes, free_at, settled_at)
      VALUES (\(doctor), \(now), \(slotMinutes), \(freeAt), \(now))
      """)
  }

  /// Sets from when on somebody can be called.
  func free(at moment: Instant, on connection: Connection) throws {
    try connection.run(
      "UPDATE appointments_desks SET free_at = \(moment) WHERE id_desk = \(id)")
  }

  /// Keeps that all that has come to pass until a moment is stored, and from when on somebody can be
  /// called.
  func settled(at moment: Instant, freeAt: Instant, on connection: Connection) throws {
    try connection.run(
      """
      UPDATE appointments_desks SET settled_at = \(moment), free_at = \(freeAt)
      WHERE id_desk = \(id)
      """)
  }

  /// Gives out the next number.
  func takeNumber(on connection: Connection) throws -> Int {
    let number = try connection.integer(
      """
      UPDATE appointments_desks SET last_number = last_number + 1 WHERE id_desk = \(id)
      RETURNING last_number
      """)
    guard let number else { throw Refusal.notFound }
    return number
  }

  /// Closes it, and brings the waiting of those who were not called to its end.
  func close(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      UPDATE appointments_desks SET closed_at = \(now)
      WHERE id_desk = \(id) AND closed_at IS NULL
      """)
    try connection.run(
      """
      UPDATE appointments_tickets
      SET over_at = \(now), outcome = \(Ticket.Outcome.dismissed.rawValue)
      WHERE desk = \(id) AND over_at IS NULL AND called_at IS NULL
      """)
  }
}
