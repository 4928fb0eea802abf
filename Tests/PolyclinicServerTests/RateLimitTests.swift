import PolyclinicCore
import PolyclinicStore
import PolyclinicTesting
import Testing

@testable import PolyclinicServer

@Suite struct RateLimitTests {
  private let start = Instant(1_800_000_000)

  @Test func `a key passes so many times, then waits for the next span, and others pass`() {
    var limit = RateLimit<String>(2, per: .minutes(10))
    #expect(limit.take("anna", at: start) == nil)
    #expect(limit.take("anna", at: start + .seconds(1)) == nil)
    #expect(limit.take("anna", at: start + .seconds(2)) == .seconds(598))
    #expect(limit.take("boris", at: start + .seconds(2)) == nil)
    #expect(limit.take("anna", at: start + .minutes(10)) == nil)
  }

  @Test func `so many keys are counted, and a further one waits`() {
    var limit = RateLimit<Int>(5, per: .minutes(1), capacity: 2)
    #expect(limit.take(1, at: start) == nil && limit.take(2, at: start) == nil)
    #expect(limit.take(3, at: start) != nil)
    #expect(limit.take(1, at: start) == nil)
  }

  @Test func `a person's forms are remembered as often as anybody sends some, not without an end`()
    throws
  {
    let portal = try TestPortal()
    let database = try SQLiteDatabase.open(portal.directory + "/polyclinic.sqlite")
    defer { database.close() }
    let forms = AnsweredForms(try Vault.establish(ring: .test(), on: FakeTables().connection))
    let (anna, boris) = (ID<Person>(1), ID<Person>(2))
    let answer = AnsweredForms.Answer(path: "/", signedIn: nil)
    try database.write { connection in
      func send(_ number: Int, _ person: ID<Person>, at now: Instant) throws {
        try forms.insert(
          [UInt8(number >> 8), UInt8(number & 0xff)], by: person, answer, at: now, on: connection)
      }
      for number in 0..<AnsweredForms.mostOfPerson { try send(number, anna, at: start) }
      #expect(throws: Refusal.tooMany(retryAfter: .minutes(10))) { try send(1, anna, at: start) }
      try send(1, boris, at: start)
      try send(1, anna, at: start + .minutes(10))
    }
  }
}
