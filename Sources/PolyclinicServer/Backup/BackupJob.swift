import Logging
import PolyclinicCore
import PolyclinicPortal
import PolyclinicSystem

/// The job that makes scheduled backups, and removes the oldest after a new one is complete.
struct BackupJob {
  let backup: Backup
  let directory: BackupDirectory
  let settings: Configuration.Backup
  let log: Logger

  /// Makes a backup if the last one is old enough. Returns the time of the next one.
  ///
  /// Logs and rethrows every error, and then removes no backup. A damaged database is such an
  /// error, because its backup could not be restored and must not replace good ones.
  func run(at now: Instant) throws -> Instant {
    let name = BackupName(now)
    do {
      if let last = try directory.newest(at: now), now - last.time < settings.every {
        return last.time + settings.every
      }
      try OpenFile.make(directory: directory.path)
      try directory.sweepDrafts()
      try requireSoundDatabase()
      try backup.write(to: directory.path(of: name), at: now)
    } catch {
      log.error("backup failed", metadata: ["reason": "\(BackupFailure(error))"])
      throw error
    }
    log.info("backup made", metadata: ["file": "\(name)"])
    try directory.prune(keeping: settings.keep, at: now)
    return now + settings.every
  }

  private func requireSoundDatabase() throws {
    // Drops cached pages first, because the copy is made from the disk and memory may hide damage
    // there.
    backup.database.giveMemoryBack()
    do {
      guard let problem = try backup.database.integrityProblems().first else { return }
      throw BackupError.databaseDamaged(problem: problem)
    } catch let error as DatabaseError where error.kind == .corrupt {
      throw BackupError.databaseDamaged(problem: error.detail)
    }
  }
}
