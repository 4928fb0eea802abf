import Glibc
import PolyclinicSystem

/// `polyclinic reload`: asks the supervisor for a reload and waits for its outcome.
package struct ReloadRequest {
  package var directory: RunDirectory
  /// The longest wait for the outcome. A migration may take minutes.
  package var timeout = Duration.seconds(600)

  package init(directory: RunDirectory, timeout: Duration = Duration.seconds(600)) {
    self.directory = directory
    self.timeout = timeout
  }

  /// The longest wait for the old processes to end, and for the new ones to be ready. The old ones
  /// accept requests for up to a quarter of a second after SIGTERM, longer on a busy machine, and
  /// may take longer to finish accepted ones.
  private static let leaving = Duration.seconds(5)

  /// Returns nil if only the new processes take requests; otherwise a sentence with the reason.
  package func run() throws -> String? {
    guard let pid = try PidFile.holder(of: directory.pidFile) else {
      return "Polyclinic is not running."
    }
    // Nil while the supervisor migrates before it starts its first workers.
    let before = try ProcessStatus.current(in: directory)
    // A reload that is under way may have read the old files: wait for the next one.
    let awaited = (before?.lastReload?.number ?? 0) + (before?.isReloading == true ? 2 : 1)
    guard kill(pid, SIGHUP) == 0 else { throw SystemError("kill", on: "\(pid)") }
    let end = SuspendingClock.now + timeout
    while SuspendingClock.now < end {
      guard try PidFile.holder(of: directory.pidFile) == pid else {
        return "Polyclinic stopped during the reload."
      }
      if let last = try ProcessStatus.current(in: directory)?.lastReload, last.number >= awaited {
        if let failure = last.failure {
          return "The reload failed, the old processes stay: \(failure). The portal's log says why."
        }
        try waitForProcesses()
        return nil
      }
      poll(nil, 0, 50)
    }
    return "The reload has not ended yet; see \"polyclinic status\"."
  }

  /// Waits until the status shows the new processes alone, each of them ready: also that of the
  /// jobs, which starts when the old one has ended.
  private func waitForProcesses() throws {
    let end = SuspendingClock.now + Self.leaving
    while SuspendingClock.now < end,
      let status = try ProcessStatus.current(in: directory),
      status.processes.contains(where: { $0.state != .ready })
    { poll(nil, 0, 50) }
  }
}
