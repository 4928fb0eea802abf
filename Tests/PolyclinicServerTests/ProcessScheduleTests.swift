import Logging
import PolyclinicCore
import Testing

@testable import PolyclinicServer

/// A clock that stands still, and what the jobs have done.
private final class Recorder {
  var now = Instant(1_000)
  var ran: [String] = []

  func job(_ name: String, again pause: Seconds) -> (name: String, run: (Instant) throws -> Instant)
  {
    (
      name,
      { now in
        self.ran.append(name)
        return now + pause
      }
    )
  }

  func failing(_ name: String) -> (name: String, run: (Instant) throws -> Instant) {
    (
      name,
      { _ in
        self.ran.append(name)
        throw Failure()
      }
    )
  }

  struct Failure: Error {}
}

@Suite struct ProcessScheduleTests {
  private let recorder = Recorder()
  private let silent = Logger(label: "jobs") { _ in SwiftLogNoOpLogHandler() }

  private func schedule(
    _ jobs: [(name: String, run: (Instant) throws -> Instant)]
  ) -> Schedule {
    Schedule(jobs, start: recorder.now, log: silent)
  }

  @Test func `all are due at the start, and run one after another`() {
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

  @Test func `a job runs again when it wanted to, not before`() {
    var schedule = schedule([recorder.job("a", again: .seconds(30))])
    schedule.runNext { recorder.now }
    recorder.now = Instant(1_029)
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a"])
    recorder.now = Instant(1_030)
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a", "a"])
  }

  @Test func `the job that has waited longest comes first`() {
    var schedule = schedule([
      recorder.job("a", again: .seconds(20)), recorder.job("b", again: .seconds(10)),
    ])
    schedule.runNext { recorder.now }
    schedule.runNext { recorder.now }
    recorder.now = Instant(1_100)
    schedule.runNext { recorder.now }
    #expect(recorder.ran.last == "b")
  }

  @Test func `a job that fails is tried again after a minute, then two, up to an hour`() {
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

  @Test func `a failing job does not keep the others from running`() {
    var schedule = schedule([recorder.failing("a"), recorder.job("b", again: .hours(1))])
    schedule.runNext { recorder.now }
    schedule.runNext { recorder.now }
    #expect(recorder.ran == ["a", "b"])
  }

  @Test func `a job that wants to run in the past waits a second`() {
    var schedule = schedule([recorder.job("a", again: .seconds(-100))])
    schedule.runNext { recorder.now }
    #expect(schedule.pause(at: recorder.now) == .seconds(1))
  }

  @Test func `a sleep is a minute at most, also when there is no job`() {
    var schedule = schedule([recorder.job("a", again: .days(1))])
    schedule.runNext { recorder.now }
    #expect(schedule.pause(at: recorder.now) == .minutes(1))
    #expect(self.schedule([]).pause(at: recorder.now) == .minutes(1))
  }
}
