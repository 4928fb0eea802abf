import PolyclinicCore
import PolyclinicStore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicVault
@testable import PolyclinicWeb

@Suite struct RateLimitTests {
  private let start = Instant(1_800_000_000)

  @Test func `a key over its limit waits for the next window, and other keys pass`() {
    var limit = RateLimit<String>(2, per: .minutes(10))
    #expect(limit.take("anna", at: start) == nil)
    #expect(limit.take("anna", at: start + .seconds(1)) == nil)
    #expect(limit.take("anna", at: start + .seconds(2)) == .seconds(598))
    #expect(limit.take("boris", at: start + .seconds(2)) == nil)
    #expect(limit.take("anna", at: start + .minutes(10)) == nil)
  }

  @Test func `a new key waits once the capacity is reached`() {
    var limit = RateLimit<Int>(5, per: .minutes(1), capacity: 2)
    #expect(limit.take(1, at: start) == nil && limit.take(2, at: start) == nil)
    #expect(limit.take(3, at: start) != nil)
    #expect(limit.take(1, at: start) == nil)
  }

  @Test func `a person who submits too many forms in 10 minutes is refused`() throws {
    let portal = try TestPortal()
    let database = try SQLiteDatabase.open(portal.directory + "/polyclinic.sqlite")
    defer { database.close() }
    let forms = IdempotencyStore(try Vault.establish(ring: .test(), on: FakeTables().connection))
    let (anna, boris) = (ID<Person>(1), ID<Person>(2))
    try database.write { connection in
      func send(_ number: Int, _ person: ID<Person>, at now: Instant) throws {
        let fields = Fields(["once": "\(number)"])
        let key = try #require(forms.key(of: fields, at: "/", from: .person(person)))
        _ = try forms.insert(
          .page("/", signedIn: nil), for: key, in: Work(at: now, on: connection))
      }
      for number in 0..<IdempotencyStore.mostOfPerson { try send(number, anna, at: start) }
      #expect(throws: Refusal.tooMany(retryAfter: .minutes(10))) { try send(1, anna, at: start) }
      try send(1, boris, at: start)
      try send(1, anna, at: start + .minutes(10))
    }
  }
}
