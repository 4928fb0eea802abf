import Foundation
import PolyclinicCore
import PolyclinicPortal
import PolyclinicTestSupport
import Testing

@testable import PolyclinicServing
@testable import PolyclinicSystem

@Suite struct ProcessStatusTests {
  private func status() -> ProcessStatus {
    let now = SuspendingClock.now
    var worker = Child(
      pid: 20, role: .worker, number: 1, generation: 2, started: Instant(1_090), since: now,
      lifeline: -1)
    worker.state = .ready
    var slot = ProcessSlot(.worker, 1, startsAt: now)
    slot.readyProcessEnded(after: .seconds(60), at: now)
    slot.started()
    return ProcessStatus(
      pid: getpid(), started: Instant(1_000), listen: "unix:/x.sock", generation: 2,
      isStopping: false, isReloading: false,
      lastReload: ProcessStatus.Reload(number: 1, finished: Instant(1_030), failure: nil),
      children: [worker], slots: [ProcessSlot(.jobs, 1, startsAt: now), slot])
  }

  @Test func `each process slot is listed once, running or not, workers first`() {
    let processes = status().processes
    #expect(processes.map(\.role) == [.worker, .jobs])
    #expect(processes.map(\.state) == [.ready, .pausing])
    #expect(processes.map(\.restarts) == [1, 0])
    #expect(processes.map(\.pid) == [20, nil])
  }

  @Test func `a decoded status equals the encoded one`() throws {
    let status = status()
    #expect(
      try JSONDecoder().decode(ProcessStatus.self, from: Data(status.encoded())) == status)
  }

  @Test func `the status is printed as a heading and an aligned table`() {
    var status = status()
    status.pid = 7
    let now = Instant(1_000 + 3_725)
    #expect(
      status.heading(at: now) == [
        "Polyclinic is running: process 7, for 1 h 2 min",
        "Listens at unix:/x.sock; generation 2", "Last reload, 1 h 1 min ago, went well",
      ])
    #expect(
      status.rows(at: now) == [
        "PROCESS   STATE    PID  FOR        RESTARTS  GENERATION",
        "worker 1  ready    20   1 h 0 min  1         2",
        "jobs      pausing  -    -          0         2",
      ])
  }

  @Test func `the status file is ignored unless its supervisor holds the lock`() throws {
    try withTemporaryDirectory { path in
      let directory = RunDirectory(path)
      #expect(try ProcessStatus.current(in: directory) == nil)
      let status = status()
      try status.write(to: directory.statusFile)
      #expect(try ProcessStatus.current(in: directory) == nil)
      let lock = try PidFile(directory.pidFile)
      #expect(try ProcessStatus.current(in: directory) == status)
      lock.release()
      #expect(try ProcessStatus.current(in: directory) == nil)
    }
  }

  @Test func `a reload without a supervisor reports that Polyclinic is not running`() throws {
    try withTemporaryDirectory { path in
      let outcome = try ReloadRequest(directory: RunDirectory(path)).run()
      #expect(outcome == "Polyclinic is not running.")
    }
  }
}
