import Logging
import PolyclinicCore

/// Makes backups by the clock, and lets the oldest go once a newer one is whole.
struct BackupJob {
  let backup: Backup
  let directory: BackupDirectory
  let settings: Configuration.Backup
  let log: Logger

  /// Makes one when the last is old enough, and returns when the next is due.
  ///
  /// Throws what kept it from being made, after saying so in the log; no backup is removed then. So it is
  /// where the database is damaged: good backups are not to give way to what cannot be restored.
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
    // What stands in memory may be better than what stands on the disk, of which the copy is made.
    backup.database.giveMemoryBack()
    do {
      guard let problem = try backup.database.integrityCheck().first else { return }
      throw BackupError.databaseDamaged(problem: problem)
    } catch let error as DatabaseError where error.kind == .corrupt {
      throw BackupError.databaseDamaged(problem: error.detail)
    }
  }
}
