import Dispatch
import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Synchronization
import Testing

@testable import PolyclinicSystem
@testable import PolyclinicVault
@testable import PolyclinicWeb

@Suite struct ThrottleTests {
  let portal: TestPortal
  let throttle: Throttle
  let start = Instant(1_800_000_000)

  init() throws {
    portal = try TestPortal()
    throttle = Throttle(try Vault.establish(ring: .test(), on: FakeTables().connection))
  }

  private func fail(
    _ times: Int, login: String = "anna", address: String = "192.0.2.1", at now: Instant? = nil
  ) throws {
    for _ in 0..<times {
      try change(at: now) {
        try throttle.recordFailure(Throttle.Attempt(login: login, address: address), in: $0)
      }
    }
  }

  private func wait(
    login: String = "anna", address: String = "192.0.2.1", at now: Instant? = nil
  ) throws -> Seconds? {
    try change(at: now) {
      try throttle.check(Throttle.Attempt(login: login, address: address), in: $0)
    }
  }

  private func succeed(login: String = "anna", address: String = "192.0.2.1") throws {
    try change {
      try throttle.recordSuccess(Throttle.Attempt(login: login, address: address), in: $0)
    }
  }

  private func change<Value>(
    at now: Instant? = nil, _ body: (Work) throws -> Value
  ) throws -> Value {
    try portal.database.write { try body(Work(at: now ?? start, on: $0)) }
  }

  private func count(_ table: SQL) throws -> Int? {
    try portal.database.read { try $0.integer("SELECT count(*) FROM \(table)") }
  }

  @Test func `five failures are free, then each doubles the wait`() throws {
    #expect(try wait() == nil)
    try fail(5)
    #expect(try wait() == nil)
    try fail(1)
    #expect(try wait() == .seconds(1))
    #expect(try wait(at: start + .seconds(1)) == nil)
    try fail(3)
    #expect(try wait() == .seconds(8))
  }

  @Test func `failures of one login at one address delay no other login or address`() throws {
    try fail(10)
    #expect(try wait(login: "boris") == nil)
    #expect(try wait(address: "192.0.2.2") == nil)
  }

  @Test func `failures of many logins at one address delay that address only`() throws {
    for number in 0..<21 { try fail(1, login: "user\(number)") }
    #expect(try wait(login: "never tried") == .seconds(1))
    #expect(try wait(login: "never tried", address: "192.0.2.2") == nil)
  }

  @Test func `failures from many addresses delay a login, except at known addresses`() throws {
    try succeed(address: "198.51.100.1")
    for number in 0..<60 { try fail(1, address: "203.0.113.\(number)") }
    #expect(try wait(address: "192.0.2.9") == .minutes(1))
    #expect(try wait(address: "198.51.100.1") == nil)
    #expect(try wait(login: "boris", address: "192.0.2.9") == nil)
  }

  @Test func `failures of other logins do not delay a login known at the address`() throws {
    try succeed()
    for number in 0..<40 { try fail(1, login: "user\(number)") }
    #expect(try wait() == nil)
    #expect(try wait(login: "boris") == .minutes(15))
    try fail(6)
    #expect(try wait() == .seconds(1))
  }

  @Test func `a success resets the pair's failures, but not the address's`() throws {
    try fail(25)
    try succeed()
    #expect(try wait() == nil)
    #expect(try wait(login: "boris") == .seconds(16))
  }

  @Test func `a known address is forgotten after 180 days or with the account`() throws {
    try succeed()
    for number in 0..<60 {
      try fail(1, address: "203.0.113.\(number)", at: start + Throttle.knownFor)
    }
    #expect(try wait(at: start + Throttle.knownFor) == .minutes(1))
    #expect(try wait(at: start + Throttle.knownFor - .seconds(1)) == nil)
    try change { try throttle.forget(login: "anna", on: $0) }
    #expect(try count("known_addresses") == 0)
    #expect(try wait(at: start + Throttle.knownFor) == nil)
  }

  @Test func `failures at a known address are forgotten with the account`() throws {
    try succeed()
    try fail(8)
    try change { try throttle.forget(login: "anna", on: $0) }
    #expect(try count("throttle") == 1, "the address's own count stays")
    #expect(try wait() == nil)
  }

  @Test func `a purge deletes only expired counts and known addresses`() throws {
    try fail(1)
    try succeed(address: "192.0.2.3")
    try change { try Throttle.purge(now: start + ThrottlePolicy.forgetting, on: $0) }
    #expect(try count("throttle") == 3)
    try change { try Throttle.purge(now: start + ThrottlePolicy.forgetting + .seconds(1), on: $0) }
    #expect(try count("throttle") == 0)
    #expect(try count("known_addresses") == 1)
    try change { try Throttle.purge(now: start + Throttle.knownFor + .seconds(1), on: $0) }
    #expect(try count("known_addresses") == 0)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("unix:", "unix:"), ("", ""),
    ("2001:db8:1:2:3:4:5:6", "20:1:d:b8:0:1:0:2::/64"),
    ("2001:DB8:1:2::", "20:1:d:b8:0:1:0:2::/64"),
    ("2001:db8:1:3::1", "20:1:d:b8:0:1:0:3::/64"),
  ])
  func `an IPv6 address counts by its /64 network`(address: String, network: String) {
    #expect(IPNetwork(of: address).name == network)
  }

  @Test func `logins and addresses are stored only as hashes`() throws {
    try fail(1)
    try succeed()
    let stored = try portal.database.read { connection in
      try connection.rows("SELECT subject FROM throttle") { $0.bytes(0) }
        + connection.rows("SELECT account FROM known_addresses") { $0.bytes(0) }
        + connection.rows("SELECT address FROM known_addresses") { $0.bytes(0) }
    }
    #expect(stored.map(\.count) == [32, 32, 32, 32])
  }

  @Test func `of failures at once, those that come when others wait are not counted`() throws {
    let attempt = Throttle.Attempt(login: "anna", address: "192.0.2.1")
    let waits = Mutex<[Seconds?]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do {
        let wait = try portal.database.writeIndependently {
          try throttle.recordFailureUnlessWaiting(attempt, in: Work(at: start, on: $0))
        }
        waits.withLock { $0.append(wait) }
      } catch { Issue.record(error) }
    }
    #expect(waits.withLock { $0.count { $0 == nil } } == 6)
    #expect(waits.withLock { $0.compactMap { $0 } } == [.seconds(1), .seconds(1)])
  }

  @Test func `a shared rate lets as many events happen at once, then at the average`() throws {
    let rate = SharedRate(
      name: "opened", perMinute: 60,
      vault: try Vault.establish(ring: .test(), on: FakeTables().connection))
    let take = { (count: Int, now: Instant) in
      try change(at: now) { try rate.take(count, of: "anna", in: $0) }
    }
    #expect(try take(60, start) == nil)
    #expect(try take(20, start) == .seconds(20))
    #expect(try take(1, start + .seconds(1)) == nil)
    #expect(try take(20, start + .seconds(21)) == nil)
    #expect(try take(60, start + .minutes(10)) == nil)
    // The row of a clock that was ahead by more than two windows counts as none.
    #expect(try take(60, start) == nil)
    #expect(try take(1, start) == .seconds(1))
  }
}

@Suite struct ThrottlePolicyTests {
  @Test(arguments: [
    (0, 0), (5, 0), (6, 1), (7, 2), (8, 4), (13, 128), (14, 256), (15, 300), (1_000, 300),
  ])
  func `a pair's wait doubles up to five minutes`(failures: Int, seconds: Int) {
    #expect(ThrottlePolicy.pair.delay(after: failures) == .seconds(seconds))
  }

  @Test func `a wait is at most 15 minutes, and a count stops at its limit`() {
    var count = ThrottlePolicy.Count()
    for _ in 0..<2_000 { count = ThrottlePolicy.address.count(after: count, failureAt: Instant(0)) }
    #expect(count.wait(at: Instant(0)) == .minutes(15))
    #expect(count.failures == ThrottlePolicy.countLimit)
  }

  @Test func `half of the failures are forgotten each hour, and all after 10 hours`() {
    let count = ThrottlePolicy.Count(failures: 1_000, until: Instant(0), updated: Instant(0))
    #expect(count.remembered(at: Instant(3_599)) == 1_000)
    #expect(count.remembered(at: Instant(3_600)) == 500)
    #expect(count.remembered(at: Instant(7_200)) == 250)
    #expect(count.remembered(at: Instant(0) + ThrottlePolicy.forgetting) == 0)
    #expect(count.remembered(at: Instant(1 << 40)) == 0)
  }

  @Test func `a clock set back by seconds keeps a count, by minutes it clears the count`() {
    let count = ThrottlePolicy.Count(failures: 8, until: Instant(9_100), updated: Instant(9_000))
    #expect(count.remembered(at: Instant(8_990)) == 8)
    #expect(count.wait(at: Instant(8_990)) == .seconds(110))
    for now in [Instant(0), Instant(8_900)] {
      #expect(count.remembered(at: now) == 0)
      #expect(count.wait(at: now) == nil)
    }
  }
}
