import PolyclinicCore

/// Somebody's place in a doctor's waiting list.
struct Ticket: Sendable {
  let id: ID<Ticket>
  let desk: ID<Desk>
  let person: ID<Person>
  /// What it is called by; counts up from 1 at each desk.
  let number: Int
  let joinedAt: Instant
  /// From the call until the doctor is free again; nil as long as no call is stored.
  var treatment: Range<Instant>?

  /// How it came to its end.
  enum Outcome: String, Sendable {
    /// The treatment's time was over, or the doctor said so.
    case finished
    /// The person left before the call.
    case left
    /// The desk was closed before the call.
    case dismissed
  }
}

extension Ticket {
  private static let columns: SQL = "id_ticket, desk, person, number, joined_at, called_at, ends_at"

  private init(_ row: Row) {
    id = row.id(0)
    desk = row.id(1)
    person = row.id(2)
    number = row.int(3)
    joinedAt = row.instant(4)
    guard !row.isNull(5) else { return }
    treatment = row.instant(5)..<max(row.instant(5), row.instant(6))
  }

  /// Those of a doctor's desks that have not come to their end, in the order of arrival.
  static func active(of doctor: ID<Doctor>, on connection: Connection) throws -> [Ticket] {
    try connection.rows(
      """
      SELECT \(columns) FROM appointments_tickets
      WHERE over_at IS NULL
        AND desk IN (SELECT id_desk FROM appointments_desks WHERE doctor = \(doctor))
      ORDER BY id_ticket
      """, Ticket.init)
  }

  /// The doctors in whose lines a person may stand, the line that was joined first before the others.
  static func doctors(of person: ID<Person>, on connection: Connection) throws -> [ID<Doctor>] {
    try connection.rows(
      """
      SELECT doctor FROM appointments_tickets JOIN appointments_desks ON id_desk = desk
      WHERE person = \(person) AND over_at IS NULL ORDER BY id_ticket
      """
    ) { $0.id(0) }
  }

  /// Stores that it was called.
  func call(for treatment: Range<Instant>, on connection: Connection) throws {
    try connection.run(
      """
      UPDATE appointments_tickets
      SET called_at = \(treatment.lowerBound), ends_at = \(treatment.upperBound)
      WHERE id_ticket = \(id) AND called_at IS NULL
      """)
  }

  /// Whether the time of a treatment is over that has not come to its end.
  static func hasEnded(at now: Instant, on connection: Connection) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM appointments_tickets WHERE over_at IS NULL AND ends_at <= \(now) LIMIT 1")
      != nil
  }

  /// Brings all to their end whose treatment's time is over.
  static func finishEnded(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      UPDATE appointments_tickets
      SET over_at = ends_at, outcome = \(Outcome.finished.rawValue)
      WHERE over_at IS NULL AND ends_at <= \(now)
      """)
  }

  /// Brings it to its end, of which nobody needs to be told; one that has come to it before stays as it
  /// was.
  func end(_ outcome: Outcome, at moment: Instant, on connection: Connection) throws {
    try connection.run(
      """
      UPDATE appointments_tickets
      SET over_at = \(moment), outcome = \(outcome.rawValue), told_at = \(moment)
      WHERE id_ticket = \(id) AND over_at IS NULL
      """)
  }
}
