import Glibc

/// `polyclinic reload`: asks the supervisor for a reload and waits for its outcome.
struct Reload {
  var directory: RunDirectory
  /// How long to wait for the outcome; a migration may take minutes.
  var patience = Duration.seconds(600)

  /// Nil when the new processes serve; else why not, in a sentence.
  func run() throws -> String? {
    guard let pid = try PidFile.holder(of: directory.pidFile),
      let before = try ProcessStatus.current(in: directory)
    else { return "Polyclinic is not running." }
    // One that goes on now may have read what was there before: the next one is ours.
    let awaited = (before.lastReload?.number ?? 0) + (before.isReloading ? 2 : 1)
    guard kill(pid, SIGHUP) == 0 else { throw SystemError("kill", on: "\(pid)") }
    let end = SuspendingClock.now + patience
    while SuspendingClock.now < end {
      guard let status = try ProcessStatus.current(in: directory), status.pid == pid else {
        return "Polyclinic stopped during the reload."
      }
      if let last = status.lastReload, last.number >= awaited {
        return last.failure.map { "The reload failed, the old processes stay: \($0)." }
      }
      poll(nil, 0, 50)
    }
    return "The reload has not ended yet; see \"polyclinic status\"."
  }
}
