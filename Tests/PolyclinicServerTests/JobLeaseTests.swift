import PolyclinicCore
import PolyclinicTestSupport
import PolyclinicTesting
import Testing

@testable import PolyclinicServer
@testable import PolyclinicServing

/// Two machines on one database, at times that the tests give.
@Suite struct JobLeaseTests {
  private let portal: TestPortal
  private let start = TestPortal.start

  init() throws { portal = try TestPortal() }

  private func lease(_ machine: String) -> JobLease { JobLease(of: machine, in: portal.database) }

  /// Writes as a job of the lease's holder does.
  private func write(as lease: JobLease) throws {
    _ = try LeasedDatabase(portal.database, lease).write {
      try $0.run("DELETE FROM job_failures WHERE job = 'none'")
    }
  }

  @Test func `only one machine runs jobs, and another takes over after 15 seconds`() throws {
    let (a, b) = (lease("a"), lease("b"))
    try a.renew(at: start)
    try b.renew(at: start + .seconds(14))
    #expect(a.isHeld && !b.isHeld)
    #expect(throws: Job.Failure.self) { try write(as: b) }
    try b.renew(at: start + .seconds(15))
    #expect(b.isHeld)
    try write(as: b)
  }

  @Test func `a renewed lease stays with its holder`() throws {
    let (a, b) = (lease("a"), lease("b"))
    for second in stride(from: 0, through: 60, by: 5) {
      try a.renew(at: start + .seconds(second))
      try b.renew(at: start + .seconds(second + 4))
    }
    #expect(a.isHeld && !b.isHeld)
  }

  @Test func `a holder that was paused writes nothing after another took over`() throws {
    let (a, b) = (lease("a"), lease("b"))
    try a.renew(at: start)
    try write(as: a)
    try b.renew(at: start + .seconds(20))
    // It does not know yet, so its transaction must find out.
    #expect(a.isHeld)
    #expect(throws: Job.Failure.self) { try write(as: a) }
    try a.renew(at: start + .seconds(21))
    #expect(!a.isHeld && a.isLost(at: .max) && b.isHeld)
    try write(as: b)
  }

  @Test func `a holder that cannot renew gives up before others take over`() throws {
    let a = lease("a")
    #expect(!a.isLost(at: 1_000_000))
    try a.renew(at: start, uptime: 1_000)
    #expect(!a.isLost(at: 13_000))
    #expect(a.isLost(at: 13_001))
  }

  @Test func `a lease that is given back is taken at once`() throws {
    let (a, b) = (lease("a"), lease("b"))
    try a.renew(at: start)
    try a.end()
    try b.renew(at: start + .seconds(1))
    #expect(!a.isHeld && b.isHeld)
    // The end of the former holder takes nothing from the next one.
    try a.end()
    try write(as: b)
  }

  @Test func `the next process of a machine takes over from its earlier one`() throws {
    let (earlier, next) = (lease("a"), lease("a"))
    try earlier.renew(at: start)
    try next.renew(at: start + .seconds(1))
    #expect(next.isHeld)
    #expect(throws: Job.Failure.self) { try write(as: earlier) }
    try write(as: next)
  }

  @Test func `a job that failed on one machine waits its time on the next one`() throws {
    var runs = 0
    var fails = true
    let job = JobSchedule.Task(name: "a job") { now in
      runs += 1
      if fails { throw Job.Failure("not yet") }
      return now + .hours(1)
    }
    func machine(at now: Instant) throws -> JobSchedule {
      JobSchedule(
        try JobFailures(in: portal.database).continued(by: [job]), try Counters(),
        watch: JobWatch(), start: now, log: .silent)
    }
    var first = try machine(at: start)
    first.runNext { start }
    first.runNext { start + .minutes(1) }
    #expect(runs == 2)
    // After the second failure the job waits two minutes.
    var second = try machine(at: start + .seconds(90))
    second.runNext { start + .seconds(90) }
    #expect(runs == 2)
    fails = false
    second.runNext { start + .minutes(3) }
    #expect(runs == 3)
    var third = try machine(at: start + .minutes(4))
    third.runNext { start + .minutes(4) }
    #expect(runs == 4)
  }
}
