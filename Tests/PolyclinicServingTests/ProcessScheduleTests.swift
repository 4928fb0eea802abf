import Logging
import PolyclinicCore
import Testing

@testable import PolyclinicServing

/// A clock that the test sets, and the names of the jobs that ran.
private final class Recorder {
  var now = Instant(1_000)
  var ran: [String] = []

  func job(_ name: String, again pause: Seconds) -> JobSchedule.Task {
    JobSchedule.Task(name: name) { now in
      self.ran.append(name)
      return now + pause
    }
  }

  func failing(_ name: String) -> JobSchedule.Task {
    JobSchedule.Task(name: name) { _ in
      self.ran.append(name)
      throw Failure()
    }
  }

  struct Failure: Error {}
}

@Suite struct ProcessScheduleTests {
  private let recorder = Recorder()
  private let counters: Counters
  private let watch = JobWatch()
  private let silent = Logger(label: "jobs") { _ in SwiftLogNoOpLogHandler() }

  init() throws { counters = try Counters() }

  private func schedule(_ tasks: [JobSchedule.Task]) -> JobSchedule {
    JobSchedule(tasks, counters, watch: watch, start: recorder.now, log: silent)
  }

  @Test func `all jobs are due at the start and run one after another`() {
    var schedule = schedule([
      recorder.job("a", again: .minutes(5)), recorder.job("b", again: .seconds(20)),
    ])
    #expect(schedule.pause(at: recorder.now) == .seconds(0))
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a"])
    schedule.runNext { recorder.now }
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a", "b"])
    #expect(schedule.pause(at: recorder.now) == .seconds(20))
  }

  @Test func `a job runs again at the time it asked for, not before`() {
    var schedule = schedule([recorder.job("a", again: .seconds(30))])
    schedule.runNext { recorder.now }
    recorder.now = Instant(1_029)
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a"])
    recorder.now = Instant(1_030)
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a", "a"])
  }

  @Test func `a clock that is set back delays a job by no more than its pause`() {
    var schedule = schedule([recorder.job("a", again: .seconds(30))])
    schedule.runNext { recorder.now }
    recorder.now = Instant(1_010) - .days(1)
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a"] && schedule.pause(at: recorder.now) == .seconds(30))
    recorder.now = recorder.now + .seconds(30)
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a", "a"])
  }

  @Test func `the job that has been due longest runs first`() {
    var schedule = schedule([
      recorder.job("a", again: .seconds(20)), recorder.job("b", again: .seconds(10)),
    ])
    schedule.runNext { recorder.now }
    schedule.runNext { recorder.now }
    recorder.now = Instant(1_100)
    schedule.runNext { recorder.now }
    #expect(recorder.ran.last == "b")
  }

  @Test func `a failed job is retried after 1 minute, then 2, doubling up to 1 hour`() {
    var schedule = schedule([recorder.failing("a")])
    var pauses: [Int64] = []
    for _ in 0..<8 {
      schedule.runNext { recorder.now }
      let before = recorder.now
      while schedule.pause(at: recorder.now) > .seconds(0) {
        recorder.now = recorder.now + schedule.pause(at: recorder.now)
      }
      pauses.append((recorder.now - before).count)
    }
    #expect(pauses == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
    #expect(recorder.ran.count == 8)
  }

  @Test func `a failing job does not stop the other jobs`() {
    var schedule = schedule([recorder.failing("a"), recorder.job("b", again: .hours(1))])
    schedule.runNext { recorder.now }
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a", "b"])
  }

  @Test func `a job that asks for a time in the past waits 1 second`() {
    var schedule = schedule([recorder.job("a", again: .seconds(-100))])
    schedule.runNext { recorder.now }
    #expect(schedule.pause(at: recorder.now) == .seconds(1))
  }

  @Test func `a pause is at most 1 minute, even without jobs`() {
    var schedule = schedule([recorder.job("a", again: .days(1))])
    schedule.runNext { recorder.now }
    #expect(schedule.pause(at: recorder.now) == .minutes(1))
    #expect(self.schedule([]).pause(at: recorder.now) == .minutes(1))
  }

  @Test func `a job that crashed its process is delayed by the next process`() {
    JobRecord(counters, "a").begin(at: recorder.now)
    var schedule = schedule([
      recorder.job("a", again: .hours(1)), recorder.job("b", again: .hours(1)),
    ])
    schedule.runNext { recorder.now }
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["b"])
    #expect(JobRecord(counters, "a").failures == 1)
    #expect(schedule.pause(at: recorder.now) == .minutes(1))
    recorder.now = recorder.now + .minutes(1)
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["b", "a"])
    #expect(JobRecord(counters, "a").streak == 0)
  }

  @Test func `the back-off of a failing job continues in the next process`() {
    for _ in 1...3 { JobRecord(counters, "a").fail(at: recorder.now) }
    #expect(schedule([recorder.failing("a")]).pause(at: recorder.now) == .minutes(1))
    var schedule = schedule([recorder.failing("a")])
    recorder.now = recorder.now + .minutes(4)
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a"])
    #expect(JobRecord(counters, "a").streak == 4)
  }

  @Test func `a job's record counts runs and failures and keeps their times`() {
    var schedule = schedule([recorder.job("a", again: .hours(1)), recorder.failing("b")])
    for _ in 0..<2 { schedule.runNext { recorder.now } }
    let (one, other) = (JobRecord(counters, "a"), JobRecord(counters, "b"))
    #expect(one.runs == 1 && one.failures == 0 && one.lastSuccess == recorder.now)
    #expect(other.runs == 1 && other.failures == 1 && other.lastSuccess == nil)
    #expect(one.began == nil && other.began == nil && other.lastBegin == recorder.now)
  }

  @Test func `a job is overdue only while it runs and after its limit`() {
    #expect(watch.overdue(at: 100_000) == nil)
    watch.begin("a", limit: .minutes(1), at: 1_000)
    #expect(watch.overdue(at: 61_000) == nil)
    #expect(watch.overdue(at: 61_001)?.job == "a")
    watch.end()
    #expect(watch.overdue(at: 100_000) == nil)
  }
}
