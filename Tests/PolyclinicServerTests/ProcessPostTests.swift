import PolyclinicCore
import Testing

@testable import PolyclinicServer

@Suite struct ProcessPostTests {
  private let now = SuspendingClock.now

  @Test func `pauses double up to the limit, and begin again after a success`() {
    var backoff = Backoff(first: .milliseconds(250), limit: .seconds(2))
    #expect(
      (0..<5).map { _ in backoff.next() } == [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(2),
      ])
    backoff.reset()
    #expect(backoff.next() == .milliseconds(250))
  }

  @Test func `a process that was ready is replaced at once, ten times a second at most`() {
    var post = Post(.worker, 1, startsAt: now)
    post.fill()
    #expect(post.startsAt == nil)
    for _ in 0..<50 { post.readyProcessEnded(after: .milliseconds(100), at: now) }
    #expect(post.startsAt == now)
    #expect(post.restarts == 50)
    post.readyProcessEnded(after: .milliseconds(30), at: now)
    #expect(post.startsAt == now + .milliseconds(70))
  }

  @Test func `one that keeps dying of its start waits longer each time, ten seconds at most`() {
    var post = Post(.worker, 1, startsAt: now)
    var pauses: [Duration] = []
    for _ in 0..<8 {
      post.fill()
      post.startFailed(at: now)
      pauses.append(now.duration(to: post.startsAt ?? now))
    }
    #expect(pauses.prefix(3) == [.milliseconds(250), .milliseconds(500), .seconds(1)])
    #expect(pauses.last == .seconds(10))
    post.readyProcessEnded(after: .seconds(60), at: now)
    #expect(post.startsAt == now)
  }

  @Test func `an ending is read as wait(2) tells it`() {
    #expect(Ending(waitStatus: 0) == .status(0))
    #expect(Ending(waitStatus: 2 << 8) == .status(2))
    #expect(Ending(waitStatus: 9) == .signal(9))
    #expect(Ending(waitStatus: 0x80 | 11) == .signal(11))
  }

  @Test func `a request is overdue only after the limit and while it lasts`() {
    let heartbeat = Heartbeat()
    #expect(!heartbeat.isOverdue(at: 100_000, limit: .seconds(30)))
    heartbeat.begin(at: 1_000)
    #expect(!heartbeat.isOverdue(at: 31_000, limit: .seconds(30)))
    #expect(heartbeat.isOverdue(at: 31_001, limit: .seconds(30)))
    heartbeat.end()
    #expect(!heartbeat.isOverdue(at: 100_000, limit: .seconds(30)))
  }

  @Test func `a request to reload during a reload asks for one more`() {
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
