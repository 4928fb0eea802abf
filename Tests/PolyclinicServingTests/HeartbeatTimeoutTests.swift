import PolyclinicCore
import Testing

@testable import PolyclinicServing

@Suite struct HeartbeatTimeoutTests {
  private let start = SuspendingClock.now

  private func child(
    _ state: Child.State = .ready, heard: SuspendingClock.Instant?
  ) -> Child {
    var child = Child(
      pid: 20, role: .worker, number: 1, generation: 1, started: Instant(1_000), since: start,
      lifeline: -1)
    child.state = state
    child.heard = heard
    return child
  }

  /// Returns the seconds, among those checked, at which the process has timed out.
  private func silentSeconds(_ child: Child, askedAt seconds: [Int]) -> [Int] {
    var heartbeatTimeout = HeartbeatTimeout(limit: .seconds(10), from: start)
    return seconds.filter {
      !heartbeatTimeout.expired(among: [child], at: start + .seconds($0)).isEmpty
    }
  }

  @Test func `a process times out when its last heartbeat is older than the limit`() {
    #expect(silentSeconds(child(heard: start), askedAt: [2, 4, 6, 8, 10, 12, 14]) == [12, 14])
    let later = child(heard: start + .seconds(5))
    #expect(silentSeconds(later, askedAt: [4, 8, 12, 15, 16]) == [16])
  }

  @Test func `a process that has never sent a heartbeat does not time out`() {
    #expect(silentSeconds(child(heard: nil), askedAt: [5, 10, 15, 20]) == [])
  }

  @Test(arguments: [Child.State.starting, .leaving])
  func `a starting or leaving process does not time out without heartbeats`(state: Child.State) {
    #expect(silentSeconds(child(state, heard: start), askedAt: [5, 10, 15, 20]) == [])
  }

  @Test func `a pause of the supervisor restarts the heartbeat timeout`() {
    #expect(silentSeconds(child(heard: start), askedAt: [5, 300, 305, 310, 311]) == [311])
  }
}
