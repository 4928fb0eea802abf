import PolyclinicTesting
import Testing

@testable import polyclinic

/// The waits for the server of a portal on PostgreSQL, in what people do most. Each is as long as
/// the way to the server and back, however fast both are.
@Suite(.postgresqlOnly) struct RoundTripTests {
  private let portal: TestPortal
  private let patient: TestVisitor

  init() throws {
    portal = try TestPortal(all: modules)
    try portal.demonstrate()
    patient = portal.visitor()
    try #require(patient.signIn("patient", "four kind otters rowing home").status == 303)
  }

  @Test func `no page waits for the server more often than its limit`() {
    let limits = [
      ("/contacts/1", 2), ("/contacts", 3), ("/", 9), ("/appointments/doctors", 9),
    ]
    for (path, most) in limits {
      // The first requests prepare the statements.
      for _ in 0..<2 { _ = patient.get(path) }
      let waits = portal.roundTrips { #expect(patient.get(path).status == 200) }
      #expect(waits <= most, "\(path)")
    }
  }

  // A test's database draws numbers one by one. The portal's own draws many at once, and saves one
  // wait for each new contact and each booking with others in line.
  @Test func `no form waits for the server more often than its limit`() throws {
    let edits = (1...3).map { "/contacts/\($0)/edit" }
    #expect(try waits(of: edits, ["name": "Vera Orlova", "birthday": ""]) <= 6)
    let new = Array(repeating: "/contacts/new", count: 3)
    #expect(try waits(of: new, ["name": "Vera Orlova"]) <= 5)
    let bookings = (5...7).map { "/appointments/book?doctor=2&date=2026-05-0\($0)&time=11:00" }
    let booking = try waits(of: bookings, ["purpose": "Chest pain"])
    #expect(booking <= 12)
    // The first doctor has an open waiting list, in which a booking may move others.
    let queued = [5, 7].map { "/appointments/book?doctor=1&date=2026-05-0\($0)&time=10:00" }
    let inLine = try waits(of: queued, ["purpose": "Chest pain"])
    #expect(inLine <= 15)
  }

  /// Sends a form about several subjects, and returns the fewest waits of one time. The first time
  /// prepares the statements, and some times draw numbers for rows to come.
  private func waits(of paths: [String], _ fields: [String: String]) throws -> Int {
    var fewest = Int.max
    for path in paths {
      let shown = portal.roundTrips { _ = patient.get(path) }
      let all = try portal.roundTrips {
        try #require(patient.submit(path, fields).status == 303, "\(path)")
      }
      fewest = min(fewest, all - shown)
    }
    return fewest
  }
}
