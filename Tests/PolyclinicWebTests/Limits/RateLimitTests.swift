import PolyclinicCore
import PolyclinicTestSupport
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

  @Test func `a person who submits too many forms in 10 minutes must wait`() throws {
    let forms = IdempotencyStore(try Vault.establish(ring: .test(), on: FakeTables().connection))
    let (anna, boris) = (ID<Person>(1), ID<Person>(2))
    for _ in 0..<IdempotencyStore.mostOfPerson { #expect(forms.wait(for: anna, at: start) == nil) }
    #expect(forms.wait(for: anna, at: start) == .minutes(10))
    #expect(forms.wait(for: boris, at: start) == nil)
    #expect(forms.wait(for: anna, at: start + .minutes(10)) == nil)
  }
}
