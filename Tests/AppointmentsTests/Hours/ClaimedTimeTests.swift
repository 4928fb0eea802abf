import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

/// Agreement of the derived claimed time with the claimed time units.
@Suite struct ClaimedTimeTests {
  private func agrees(_ town: Town, _ span: Range<Instant>) throws -> Bool {
    try town.portal.read { connection in
      let units = Set(try ClaimedTime.taken(of: town.doctor, within: span, on: connection))
      let claimed = try ClaimedTime.find(of: town.doctor, within: span, in: connection)
      return ClaimedTime.units(of: span).allSatisfy {
        claimed.contains(anyOf: $0..<$0 + 1) == units.contains($0)
      }
    }
  }

  @Test func `the claimed time reflects claims and partial releases`() throws {
    let town = try Town()
    let people = try town.people(60)
    let start = TestPortal.start + .days(1)
    let span = start..<start + .days(2)
    for (number, person) in people.enumerated() {
      let from = start + .minutes(35 * number)
      let time = Slot(span: from..<from + .minutes(25), zone: .utc)
      try town.portal.write { connection in
        let booking = try Booking.claim(
          time, of: town.doctor, for: person, in: connection.at(TestPortal.start))
        if number.isMultiple(of: 3) {
          try ClaimedTime.release(
            .appointment(booking.id), from: from + .minutes(10), in: connection)
        }
      }
    }
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_units") > 200)
    #expect(try agrees(town, span))
  }

  @Test func `deleting a person frees the claimed time and leaves no row`() throws {
    let town = try Town()
    let person = try #require(try town.people(1).first)
    let start = TestPortal.start + .days(1)
    let time = Slot(span: start..<start + .hours(6), zone: .utc)
    try town.portal.write { connection in
      _ = try Booking.claim(time, of: town.doctor, for: person, in: connection.at(TestPortal.start))
    }
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_blocks") > 1)
    try town.portal.write { connection in
      try connection.run("DELETE FROM people WHERE id_person = \(person)")
    }
    #expect(try town.count("SELECT count(*) FROM appointments_claimed_blocks") == 0)
    #expect(try agrees(town, start..<start + .days(1)))
  }

  @Test func `a range is claimed if any unit in it is, across block boundaries too`() {
    let claimed = ClaimedTime(units: [59, 60, 200])
    #expect(claimed.contains(anyOf: 50..<60) && claimed.contains(anyOf: 60..<61))
    #expect(claimed.contains(anyOf: 61..<400) && claimed.contains(anyOf: 0..<400))
    #expect(!claimed.contains(anyOf: 61..<200) && !claimed.contains(anyOf: 0..<59))
    #expect(
      !claimed.contains(anyOf: 201..<900) && !ClaimedTime(units: []).contains(anyOf: 0..<900))
  }
}
