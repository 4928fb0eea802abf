import PolyclinicCore

/// A patient's place on a doctor's waiting list.
struct Ticket: Sendable {
  let id: ID<Ticket>
  let session: ID<WaitingListSession>
  let person: ID<Person>
  /// The number that is called; counts up from 1 in each session.
  let number: Int
  let joinedAt: Instant
  /// The time from the call until the doctor is free again; nil until the call is stored.
  var treatment: Range<Instant>?
  /// True if the patient has said after the call that they cannot come (FHIR R4,
  /// ParticipationStatus `declined`).
  var isDeclined = false

  /// The reason why a ticket has ended.
  enum Outcome: String, Sendable {
    /// The treatment time was over, or the doctor ended the treatment.
    case finished
    /// The patient left before the call, or said after it that they cannot come.
    case left
    /// The patient was called and did not come.
    case noshow
    /// The session was closed before the call.
    case dismissed
  }
}

extension Ticket {
  private static let columns: SQL =
    "id_ticket, session, person, number, joined_at, called_at, ends_at, declined_at"

  /// The condition for tickets of patients who have seen the doctor.
  static let visited: SQL = "outcome = 'finished' AND appointments_tickets.called_at IS NOT NULL"

  private init(_ row: Row) {
    id = row.id(0)
    session = row.id(1)
    person = row.id(2)
    number = row.int(3)
    joinedAt = row.instant(4)
    guard !row.isNull(5) else { return }
    treatment = row.instant(5)..<max(row.instant(5), row.instant(6))
    isDeclined = !row.isNull(7)
  }

  /// Returns the tickets of the doctors' sessions that have not ended, in the order of arrival.
  static func active(of doctors: [ID<Doctor>], in work: Work) throws -> [ID<Doctor>: [Ticket]] {
    var active: [ID<Doctor>: [Ticket]] = [:]
    try work.forEach(
      """
      SELECT \(columns), doctor FROM appointments_tickets
        JOIN appointments_sessions ON id_session = session
      WHERE doctor IN \(list: doctors) AND over_at IS NULL ORDER BY id_ticket
      """
    ) { active[$0.id(8), default: []].append(Ticket($0)) }
    return active
  }

  /// Returns the doctors for whom a person has a ticket that has not ended, the earliest ticket
  /// first.
  static func doctors(of person: ID<Person>, in work: Work) throws -> [ID<Doctor>] {
    try work.rows(
      """
      SELECT doctor FROM appointments_tickets JOIN appointments_sessions ON id_session = session
      WHERE person = \(person) AND over_at IS NULL ORDER BY id_ticket
      """
    ) { $0.id(0) }
  }

  /// Returns a ticket and the doctor whose list it is on; nil for an unknown ticket.
  static func find(
    _ id: ID<Ticket>, in work: Work
  ) throws -> (ticket: Ticket, doctor: ID<Doctor>)? {
    try work.row(
      """
      SELECT \(columns), doctor FROM appointments_tickets JOIN appointments_sessions ON id_session = session
      WHERE id_ticket = \(id)
      """
    ) { (Ticket($0), $0.id(8)) }
  }

  /// Stores the call, unless one is stored already.
  func call(for treatment: Range<Instant>, in work: Work) throws {
    try work.run(
      """
      UPDATE appointments_tickets
      SET called_at = \(treatment.lowerBound), ends_at = \(treatment.upperBound)
      WHERE id_ticket = \(id) AND called_at IS NULL
      """)
  }

  /// Takes back the call of a ticket that has not ended. The patient gets a notice of the next call
  /// again.
  func undoCall(in work: Work) throws {
    try work.run(
      """
      UPDATE appointments_tickets
      SET called_at = NULL, ends_at = NULL, declined_at = NULL, told_at = NULL
      WHERE id_ticket = \(id) AND over_at IS NULL
      """)
  }

  /// Stores that the called patient cannot come.
  func decline(at moment: Instant, in work: Work) throws {
    try work.run(
      "UPDATE appointments_tickets SET declined_at = \(moment) WHERE id_ticket = \(id)")
  }

  /// True if a ticket has not ended although its treatment time is over.
  static func hasEnded(in work: Work) throws -> Bool {
    try work.integer(
      "SELECT 1 FROM appointments_tickets WHERE over_at IS NULL AND ends_at <= \(work.now) LIMIT 1")
      != nil
  }

  /// Ends all tickets whose treatment time is over. A patient who has declined the call has not
  /// seen the doctor.
  static func finishEnded(in work: Work) throws {
    try work.run(
      """
      UPDATE appointments_tickets
      SET over_at = ends_at,
        outcome = CASE WHEN declined_at IS NULL THEN \(Outcome.finished.rawValue)
          ELSE \(Outcome.left.rawValue) END
      WHERE over_at IS NULL AND ends_at <= \(work.now)
      """)
  }

  /// Ends the ticket without a notice to the patient. A ticket that has ended already stays as it
  /// was.
  func end(_ outcome: Outcome, at moment: Instant, in work: Work) throws {
    try work.run(
      """
      UPDATE appointments_tickets
      SET over_at = \(moment), outcome = \(outcome.rawValue), told_at = \(moment)
      WHERE id_ticket = \(id) AND over_at IS NULL
      """)
  }
}

extension Ticket {
  /// Returns the ticket `{id}` and its doctor. Throws ``Refusal/notFound`` unless the doctor is the
  /// visitor.
  static func ofDoctor(_ context: Context) throws -> (ticket: Ticket, doctor: ID<Doctor>) {
    guard let own = try find(context.id(), in: context),
      try SignedInDoctor.find(context)?.id == own.doctor
    else { throw Refusal.notFound }
    return own
  }
}

extension Ticket {
  /// Writes the person's tickets into the export of all data; times are UTC (RFC 3339).
  @Sendable
  static func export(_ work: Work, _ copy: JSON.Writer) throws {
    try copy.writeArray("tickets") { tickets in
      try work.forEach(
        """
        SELECT \(DoctorName.columns), number, joined_at, called_at, declined_at, over_at,
          outcome
        FROM appointments_tickets JOIN appointments_sessions ON id_session = session
          JOIN appointments_doctors ON id_doctor = doctor
        WHERE appointments_tickets.person = \(work.keys.person) ORDER BY id_ticket
        """
      ) { try tickets.append(json($0, by: work.keys)) }
    }
  }

  private static func json(_ row: Row, by keys: Keys) throws -> JSON {
    let doctor = try DoctorName(row).opened(by: keys)
    let ticket = row.from(DoctorName.columnCount)
    return [
      "doctor": .string(doctor), "number": .integer(Int64(ticket.int(0))),
      "joined_at": .string(ticket.instant(1).timestamp),
      "called_at": ticket.optional(2, Row.instant).map { .string($0.timestamp) } ?? nil,
      "declined_at": ticket.optional(3, Row.instant).map { .string($0.timestamp) } ?? nil,
      "over_at": ticket.optional(4, Row.instant).map { .string($0.timestamp) } ?? nil,
      "outcome": ticket.optional(5, Row.string).map(JSON.string) ?? nil,
    ]
  }
}
