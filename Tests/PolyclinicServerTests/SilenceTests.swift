import PolyclinicCore
import Testing

@testable import PolyclinicServer

@Suite struct SilenceTests {
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

  /// The numbers of seconds, of those asked at, at which a process counts as silent.
  private func silentSeconds(_ child: Child, askedAt seconds: [Int]) -> [Int] {
    var silence = Silence(limit: .seconds(10), from: start)
    return seconds.filter {
      !silence.silent(among: [child], at: start + .seconds($0)).isEmpty
    }
  }

  @Test func `a process is silent when it has said nothing for longer than the limit`() {
    #expect(silentSeconds(child(heard: start), askedAt: [2, 4, 6, 8, 10, 12, 14]) == [12, 14])
    let later = child(heard: start + .seconds(5))
    #expect(silentSeconds(later, askedAt: [4, 8, 12, 15, 16]) == [16])
  }

  @Test func `one that has never said anything is of a release that does not`() {
    #expect(silentSeconds(child(heard: nil), askedAt: [5, 10, 15, 20]) == [])
  }

  @Test(arguments: [Child.State.starting, .leaving])
  func `one that starts or leaves has its deadline instead`(state: Child.State) {
    #expect(silentSeconds(child(state, heard: start), askedAt: [5, 10, 15, 20]) == [])
  }

  @Test func `a supervisor that stood still itself gives everybody time to be heard`() {
    #expect(silentSeconds(child(heard: start), askedAt: [5, 300, 305, 310, 311]) == [311])
  }
}
