import Glibc

/// `polyclinic reload`: asks the supervisor for a reload and waits for its outcome.
struct Reload {
  var directory: RunDirectory
  /// How long to wait for the outcome; a migration may take minutes.
  var patience = Duration.seconds(600)

  /// How long to wait for the old processes to have ended. They take no more requests a quarter of a
  /// second after they were told, on a busy machine later; one that they have taken may go on for longer.
  private static let leaving = Duration.seconds(5)

  /// Nil when the new processes alone take requests; else why not, in a sentence.
  func run() throws -> String? {
    guard let pid = try PidFile.holder(of: directory.pidFile) else {
      return "Polyclinic is not running."
    }
    // Nil while it migrates before its first workers.
    let before = try ProcessStatus.current(in: directory)
    // One that goes on now may have read what was there before: the next one is ours.
    let awaited = (before?.lastReload?.number ?? 0) + (before?.isReloading == true ? 2 : 1)
    guard kill(pid, SIGHUP) == 0 else { throw SystemError("kill", on: "\(pid)") }
    let end = SuspendingClock.now + patience
    while SuspendingClock.now < end {
      guard try PidFile.holder(of: directory.pidFile) == pid else {
        return "Polyclinic stopped during the reload."
      }
      if let last = try ProcessStatus.current(in: directory)?.lastReload, last.number >= awaited {
        if let failure = last.failure {
          return "The reload failed, the old processes stay: \(failure). The portal's log says why."
        }
        try awaitThoseWhoLeave()
        return nil
      }
      poll(nil, 0, 50)
    }
    return "The reload has not ended yet; see \"polyclinic status\"."
  }

  private func awaitThoseWhoLeave() throws {
    let end = SuspendingClock.now + Self.leaving
    while SuspendingClock.now < end,
      let status = try ProcessStatus.current(in: directory),
      status.processes.contains(where: { $0.state == .leaving })
    { poll(nil, 0, 50) }
  }
}
