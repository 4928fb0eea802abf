import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct ClaimedUnitTests {
  @Test func `a span claims every time unit that it touches`() {
    let units = ClaimedTime.units(of: Instant(299)..<Instant(601))
    #expect(units == 0..<3)
    #expect(ClaimedTime.units(of: Instant(300)..<Instant(600)) == 1..<2)
    #expect(ClaimedTime.units(of: Instant(-1)..<Instant(1)) == -1..<1)
    #expect(ClaimedTime.units(of: Instant(300)..<Instant(300)).isEmpty)
  }

  @Test func `a claimed time cannot be claimed again until it is released`() throws {
    let town = try Town()
    let patient = try town.portal.keys(of: try town.portal.register()).person
    let (one, other) = try town.portal.write { connection in
      (
        try appointment(of: patient, on: connection), try appointment(of: patient, on: connection)
      )
    }
    let hour = TestPortal.start..<TestPortal.start + .hours(1)
    let half = TestPortal.start + .minutes(30)..<TestPortal.start + .hours(2)
    try town.portal.write { connection in
      try ClaimedTime.claim(hour, of: town.doctor, for: .appointment(one), in: connection)
    }
    #expect(throws: ClaimedTime.Taken.self) {
      try town.portal.write { connection in
        try ClaimedTime.claim(half, of: town.doctor, for: .appointment(other), in: connection)
      }
    }
    try town.portal.write { connection in
      try ClaimedTime.release(
        .appointment(one), from: TestPortal.start + .minutes(30), in: connection)
      try ClaimedTime.claim(half, of: town.doctor, for: .appointment(other), in: connection)
    }
    let taken = try town.portal.read { connection in
      try ClaimedTime.taken(
        of: town.doctor, within: hour.lowerBound..<half.upperBound, on: connection)
    }
    #expect(taken.count == 24)
  }

  private func appointment(
    of person: ID<Person>, on connection: Connection
  ) throws -> ID<Appointment> {
    try connection.insert(
      """
      INSERT INTO appointments (person, created_at) VALUES (\(person), 0)
      """)
  }
}
