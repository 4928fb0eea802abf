import PolyclinicCore
import Testing

@testable import PolyclinicServing
@testable import PolyclinicSystem

@Suite struct ProcessSlotTests {
  private let now = SuspendingClock.now

  @Test func `back-off pauses double up to the limit and start over after a reset`() {
    var backoff = ProcessBackoff(first: .milliseconds(250), limit: .seconds(2))
    #expect(
      (0..<5).map { _ in backoff.next() } == [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(2),
      ])
    backoff.reset()
    #expect(backoff.next() == .milliseconds(250))
  }

  @Test func `a process that was ready restarts at once, at most every 100 ms`() {
    var slot = ProcessSlot(.worker, 1, startsAt: now)
    slot.started()
    #expect(slot.startsAt == nil)
    for _ in 0..<50 { slot.readyProcessEnded(after: .milliseconds(100), at: now) }
    #expect(slot.startsAt == now)
    #expect(slot.restarts == 50)
    slot.readyProcessEnded(after: .milliseconds(30), at: now)
    #expect(slot.startsAt == now + .milliseconds(70))
  }

  @Test func `failed starts are retried with growing pauses of at most 10 seconds`() {
    var slot = ProcessSlot(.worker, 1, startsAt: now)
    var pauses: [Duration] = []
    for _ in 0..<8 {
      slot.started()
      slot.startFailed(at: now)
      pauses.append(now.duration(to: slot.startsAt ?? now))
    }
    #expect(pauses.prefix(3) == [.milliseconds(250), .milliseconds(500), .seconds(1)])
    #expect(pauses.last == .seconds(10))
    slot.readyProcessEnded(after: .seconds(60), at: now)
    #expect(slot.startsAt == now)
  }

  @Test func `an exit status is decoded from the status of wait(2)`() {
    #expect(PolyclinicSystem.ExitStatus(waitStatus: 0) == .status(0))
    #expect(PolyclinicSystem.ExitStatus(waitStatus: 2 << 8) == .status(2))
    #expect(PolyclinicSystem.ExitStatus(waitStatus: 9) == .signal(9))
    #expect(PolyclinicSystem.ExitStatus(waitStatus: 0x80 | 11) == .signal(11))
  }

  @Test func `a request is overdue only while it runs and after the limit`() {
    let heartbeat = Heartbeat()
    #expect(!heartbeat.isOverdue(at: 100_000, limit: .seconds(30)))
    heartbeat.begin(at: 1_000)
    #expect(!heartbeat.isOverdue(at: 31_000, limit: .seconds(30)))
    #expect(heartbeat.isOverdue(at: 31_001, limit: .seconds(30)))
    heartbeat.end()
    #expect(!heartbeat.isOverdue(at: 100_000, limit: .seconds(30)))
  }

  @Test func `requests during a reload cause exactly one more reload`() {
    var reload = Reloading()
    var begins = [reload.begin()]
    reload.request()
    begins += [reload.begin(), reload.begin()]
    reload.request()
    reload.request()
    begins.append(reload.begin())
    reload.finish(failure: "why", at: Instant(5))
    #expect(reload.last == ProcessStatus.Reload(number: 1, finished: Instant(5), failure: "why"))
    begins.append(reload.begin())
    reload.finish(failure: nil, at: Instant(6))
    #expect(reload.last?.number == 2)
    begins.append(reload.begin())
    #expect(begins == [false, true, false, false, true, false])
  }
}
