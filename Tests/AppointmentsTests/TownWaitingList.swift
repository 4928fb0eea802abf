import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Changes of the doctor's waiting list, without pages.
extension Town {
  /// Inserts people without accounts into the table.
  func people(_ count: Int) throws -> [ID<Person>] {
    try portal.write { connection in
      try (0..<count).map { number in
        let id = (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 * 4)) } + [255]
        return try connection.insert(
          """
          INSERT INTO people (wrapped_key, erasure_id, created_at)
          VALUES (\([UInt8](repeating: 0, count: 32)), \(id), 0)
          """)
      }
    }
  }

  func open(at now: Instant = TestPortal.start) throws {
    try portal.write { connection in
      let doctor = try Doctor.find(doctor, in: connection)
      try WaitingList.open(try #require(doctor), slotMinutes: 10, in: connection.at(now))
    }
  }

  func close(at now: Instant) throws {
    try portal.write { try WaitingList.close(doctor, in: $0.at(now)) }
  }

  func join(_ person: ID<Person>, at now: Instant) throws {
    try portal.write { try WaitingList.join(doctor, person, in: $0.at(now)) }
  }

  func leave(_ person: ID<Person>, at now: Instant) throws {
    try portal.write { try WaitingList.leave(doctor, person, in: $0.at(now)) }
  }

  @discardableResult
  func decline(_ person: ID<Person>, at now: Instant) throws -> Ticket {
    try portal.write { try WaitingList.decline(doctor, person, in: $0.at(now)) }
  }

  /// Ends the call of a patient who declines it.
  func endDeclined(_ person: ID<Person>, at now: Instant) throws {
    let ticket = try decline(person, at: now)
    try portal.write {
      try WaitingList.finishAndCall(doctor, expecting: ticket.id, as: .left, in: $0.at(now))
    }
  }

  func finish(at now: Instant, expecting ticket: ID<Ticket>? = nil) throws {
    try portal.write {
      try WaitingList.finish(doctor, expecting: ticket, in: $0.at(now))
    }
  }

  func finishAndCall(at now: Instant, expecting ticket: ID<Ticket>? = nil) throws {
    try portal.write {
      try WaitingList.finishAndCall(doctor, expecting: ticket, in: $0.at(now))
    }
  }

  func call(_ ticket: ID<Ticket>, at now: Instant) throws {
    try portal.write { try WaitingList.call(ticket, of: doctor, in: $0.at(now)) }
  }

  func waitingList(at now: Instant) throws -> WaitingListSchedule {
    try portal.read { try WaitingList.schedule(of: doctor, in: $0.at(now)) }
  }

  func settle(at now: Instant) throws {
    try portal.write { try WaitingList.settle(doctor, in: $0.at(now)) }
  }

  /// Settles the waiting list, as every booking does, and books the span.
  @discardableResult
  func book(
    _ person: ID<Person>, _ span: Range<Instant>, at now: Instant
  ) throws -> ID<Appointment> {
    try portal.write { connection in
      try WaitingList.settle(doctor, in: connection.at(now))
      let id: ID<Appointment> = try connection.insert(
        """
        INSERT INTO appointments (person, created_at, doctor, status, starts_at, ends_at, time_zone)
        VALUES (\(person), \(now), \(doctor), 'booked', \(span.lowerBound), \(span.upperBound),
          'Europe/Minsk')
        """)
      try ClaimedTime.claim(span, of: doctor, for: .appointment(id), in: connection)
      return id
    }
  }

  func cancel(_ appointment: ID<Appointment>, at now: Instant) throws {
    try portal.write { connection in
      try WaitingList.settle(doctor, in: connection.at(now))
      try ClaimedTime.release(.appointment(appointment), in: connection)
    }
  }

  /// Returns the stored tickets of all waiting lists in the order of their ids.
  func stored() throws -> [StoredTicket] {
    try portal.read { connection in
      try connection.rows(
        """
        SELECT person, session, number, joined_at, called_at, over_at, outcome
        FROM appointments_tickets ORDER BY id_ticket
        """
      ) { row in
        StoredTicket(
          person: row.id(0), session: row.id(1), number: row.int(2), joinedAt: row.instant(3),
          calledAt: row.optional(4, Row.instant), overAt: row.optional(5, Row.instant),
          outcome: row.optional(6, Row.string).flatMap(Ticket.Outcome.init))
      }
    }
  }
}

struct StoredTicket: Equatable {
  let person: ID<Person>
  let session: ID<WaitingListSession>
  let number: Int
  let joinedAt: Instant
  let calledAt: Instant?
  let overAt: Instant?
  let outcome: Ticket.Outcome?
}

extension Instant {
  /// Returns the time that many minutes after the tests' start.
  static func start(_ minutes: Int) -> Instant { TestPortal.start + .minutes(minutes) }
}

/// Waiting lists through the pages.
extension Town {
  /// The path of the doctor's public page.
  var doctorPage: String { "/appointments/doctors/\(doctor)" }

  func pressJoin(_ visitor: TestVisitor) -> TestPage {
    visitor.press("\(doctorPage)/queue", on: doctorPage, ["present": "yes"])
  }

  /// Presses a button of the doctor's own waiting list.
  func pressQueue(_ action: String) -> TestPage {
    doctorVisitor.press("/appointments/queue/\(action)", on: "/appointments/queue")
  }
}
