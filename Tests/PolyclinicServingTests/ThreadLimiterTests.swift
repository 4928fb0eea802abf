import Testing

@testable import PolyclinicServing

@Suite struct ThreadLimiterTests {
  private func client(_ network: String, _ session: String? = nil) -> ThreadLimiter.Client {
    ThreadLimiter.Client(network: network, session: session)
  }

  private let long = ThreadLimiter.brief + 1

  @Test func `long requests of one session hold at most half of the threads`() {
    let threadLimiter = ThreadLimiter(threads: 4)
    for _ in 0..<2 { #expect(threadLimiter.enter(client("a", "s"), at: 0) != nil) }
    #expect(threadLimiter.enter(client("b", "s"), at: long) == nil)
    #expect(threadLimiter.enter(client("a", "t"), at: long) != nil)
  }

  @Test func `long requests from one address hold at most all threads but one`() {
    let threadLimiter = ThreadLimiter(threads: 4)
    for session in ["s", "t", "u"] {
      #expect(threadLimiter.enter(client("a", session), at: 0) != nil)
    }
    #expect(threadLimiter.enter(client("a", "v"), at: long) == nil)
    #expect(threadLimiter.enter(client("b", "v"), at: long) != nil)
  }

  @Test func `long requests of one network hold all threads but one`() {
    let threadLimiter = ThreadLimiter(threads: 4)
    for _ in 1...3 {
      #expect(threadLimiter.enter(client("2001:db8:1:2::/64"), at: 0) != nil)
    }
    #expect(threadLimiter.enter(client("2001:db8:1:2::/64"), at: long) == nil)
    #expect(threadLimiter.enter(client("2001:db8:1:3::/64"), at: long) != nil)
  }

  @Test func `short requests are not limited by session or address`() {
    let threadLimiter = ThreadLimiter(threads: 4)
    for _ in 0..<5 { #expect(threadLimiter.enter(client("a", "s"), at: 0) != nil) }
  }

  @Test func `a finished request frees its thread and is no longer counted`() throws {
    let threadLimiter = ThreadLimiter(threads: 1)
    let place = try #require(threadLimiter.enter(client("a"), at: 0))
    #expect(threadLimiter.enter(client("a"), at: long) == nil)
    threadLimiter.leave(place)
    #expect(threadLimiter.enter(client("a"), at: long) == place)
  }

  @Test func `requests without a session cookie do not count as one session`() {
    let threadLimiter = ThreadLimiter(threads: 4)
    for address in ["a", "b", "c"] { #expect(threadLimiter.enter(client(address), at: 0) != nil) }
    #expect(threadLimiter.enter(client("d"), at: long) != nil)
  }

  @Test(arguments: [
    ("100.000", 104.9, false), ("100.000", 105.1, true), ("100.000", 99.0, false),
    ("100.000", 86_500.0, false), ("", 200.0, false), ("x", 200.0, false),
  ])
  func `only a wait of 5 to 120 seconds counts as too long`(
    sent: String, now: Double, isTooLong: Bool
  ) {
    #expect(Waiting(since: sent, at: now).isTooLong == isTooLong)
  }
}
