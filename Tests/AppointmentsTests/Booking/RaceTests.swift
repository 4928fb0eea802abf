import Dispatch
import PolyclinicCore
import PolyclinicTesting
import Synchronization
import Testing

@testable import Appointments

/// Concurrent writes by many threads, each with its own connection.
@Suite struct RaceTests {
  @Test func `of 200 concurrent bookings of the same slot exactly one succeeds`() throws {
    let town = try Town()
    let (portal, doctor) = (town.portal, town.doctor)
    let patients = try town.people(200)
    let start = TestPortal.start + .days(1)
    let time = Slot(span: start..<start + .minutes(10), zone: .utc)
    let outcomes = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: patients.count) { number in
      let outcome: String
      do {
        try insisting {
          try portal.write { connection in
            _ = try Booking.claim(
              time, of: doctor, for: patients[number], in: connection.at(TestPortal.start))
          }
        }
        outcome = "booked"
      } catch is ClaimedTime.Taken { outcome = "taken" } catch { outcome = "\(error)" }
      outcomes.withLock { $0.append(outcome) }
    }
    let counted = outcomes.withLock { Dictionary(grouping: $0) { $0 }.mapValues(\.count) }
    #expect(counted == ["booked": 1, "taken": 199])
    #expect(try town.count("SELECT count(*) FROM appointments") == 1)
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_units") == 2)
  }

  @Test func `of concurrent cancellations and reschedules one succeeds and no time leaks`() throws {
    let town = try Town()
    let (portal, doctor) = (town.portal, town.doctor)
    let anna = try town.portal.register()
    let keys = try town.portal.keys(of: anna)
    let actor = HistoryEntry.Actor(
      Visitor(person: keys.person, name: "Anna", roles: [.patient]), as: .patient)
    let start = TestPortal.start + .days(1)
    let time = Slot(span: start..<start + .minutes(10), zone: .utc)
    let later = Slot(span: start + .hours(1)..<start + .minutes(70), zone: .utc)
    for _ in 0..<20 {
      let booking = try portal.write {
        try Booking.claim(time, of: doctor, for: keys.person, in: $0.at(TestPortal.start))
      }
      let winners = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        let isWinner = try? insisting {
          try portal.write { connection -> Bool in
            guard let now = try Booking.find(booking.id, in: connection),
              now.sequence == booking.sequence
            else { return false }
            if number % 2 == 0 {
              try now.setStatus(
                .cancelled, by: actor, sealedBy: keys, in: connection.at(TestPortal.start))
            } else {
              try now.reschedule(
                to: later, by: actor, sealedBy: keys, in: connection.at(TestPortal.start))
            }
            return true
          }
        }
        if isWinner == true { winners.withLock { $0 += 1 } }
      }
      #expect(winners.withLock { $0 } == 1)
      try portal.write { connection in
        let now = try #require(try Booking.find(booking.id, in: connection))
        let units = try ClaimedTime.taken(
          of: doctor, within: start..<start + .hours(2), on: connection)
        #expect(units.count == (now.status == .cancelled ? 0 : 2))
        try connection.run("DELETE FROM appointments WHERE id_appointment = \(booking.id)")
      }
    }
  }
}

/// Retries while the write queue is full, as a 503 asks a browser to, so that the result does not
/// depend on the machine's speed.
func insisting<Value>(_ body: () throws -> Value) throws -> Value {
  while true {
    do { return try body() } catch let error as DatabaseError where error.kind == .busy {}
  }
}
