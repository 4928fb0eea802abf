import Testing

@testable import PolyclinicServer

@Suite struct OccupancyTests {
  private func guest(_ address: String, _ session: String = "") -> Occupancy.Guest {
    let cookies = session.isEmpty ? "" : "; __Host-session=\(session)"
    return Occupancy.Guest(address: address, cookies: "other=\(Int.random(in: 0..<9))\(cookies)")
  }

  private let long = Occupancy.brief + 1

  @Test func `long requests of one session get half of the threads`() {
    let occupancy = Occupancy(threads: 4)
    for _ in 0..<2 { #expect(occupancy.enter(guest("a", "s"), at: 0) != nil) }
    #expect(occupancy.enter(guest("b", "s"), at: long) == nil)
    #expect(occupancy.enter(guest("a", "t"), at: long) != nil)
  }

  @Test func `long requests from one address get all threads but one`() {
    let occupancy = Occupancy(threads: 4)
    for session in ["s", "t", "u"] {
      #expect(occupancy.enter(guest("a", session), at: 0) != nil)
    }
    #expect(occupancy.enter(guest("a", "v"), at: long) == nil)
    #expect(occupancy.enter(guest("b", "v"), at: long) != nil)
  }

  @Test func `a household has one address, however many its machines use`() {
    let occupancy = Occupancy(threads: 4)
    for host in 1...3 {
      #expect(occupancy.enter(guest("2001:db8:1:2::\(host)"), at: 0) != nil)
    }
    #expect(occupancy.enter(guest("2001:db8:1:2::4"), at: long) == nil)
    #expect(occupancy.enter(guest("2001:db8:1:3::4"), at: long) != nil)
  }

  @Test func `short requests are taken however many come from one place`() {
    let occupancy = Occupancy(threads: 4)
    for _ in 0..<5 { #expect(occupancy.enter(guest("a", "s"), at: 0) != nil) }
  }

  @Test func `a place that is left is free, and whoever left it counts no more`() throws {
    let occupancy = Occupancy(threads: 1)
    let place = try #require(occupancy.enter(guest("a"), at: 0))
    #expect(occupancy.enter(guest("a"), at: long) == nil)
    occupancy.leave(place)
    #expect(occupancy.enter(guest("a"), at: long) == place)
  }

  @Test func `browsers without cookies are not taken for one session`() {
    let occupancy = Occupancy(threads: 4)
    for address in ["a", "b", "c"] { #expect(occupancy.enter(guest(address), at: 0) != nil) }
    #expect(occupancy.enter(guest("d"), at: long) != nil)
  }

  @Test(arguments: [
    ("100.000", 104.9, false), ("100.000", 105.1, true), ("100.000", 99.0, false),
    ("100.000", 86_500.0, false), ("", 200.0, false), ("x", 200.0, false),
  ])
  func `a request has waited for too long after five seconds, unless the clock was set`(
    sent: String, now: Double, isTooLong: Bool
  ) {
    #expect(Waiting.isTooLong(since: sent, at: now) == isTooLong)
  }
}
