import Logging
import PolyclinicCore
import PolyclinicPortal
import PolyclinicSystem

/// The job that makes scheduled backups, and removes the oldest after a new one is complete.
struct BackupJob {
  let backup: Backup
  /// The name of this machine.
  var machine = ""
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
      if let last = try lastBackup(at: now), now - last < settings.every {
        return last + settings.every
      }
      try OpenFile.make(directory: directory.path)
      try directory.sweepDrafts()
      try requireSoundDatabase()
      // Its restore then repeats the erasures that other machines have made, too.
      try ErasureLog(directory: directory.path).append(allIn: backup.database)
      let start = SuspendingClock.now
      try backup.write(to: directory.path(of: name), at: now)
      try record(directory.path(of: name), at: now, took: start.duration(to: .now))
    } catch {
      log.error("backup failed", metadata: ["reason": "\(BackupFailure(error))"])
      throw error
    }
    log.info("backup made", metadata: ["file": "\(name)"])
    try directory.prune(keeping: settings.keep, at: now)
    return now + settings.every
  }

  /// Returns the time of the last backup that this machine, or another one, has made.
  private func lastBackup(at now: Instant) throws -> Instant? {
    let others = try namingDamage { try backup.database.read { try Machine.all(on: $0) } }
    return [try directory.newest(at: now)?.time, others.lastBackup(besides: machine)]
      .compactMap(\.self).filter { $0 <= now }.max()
  }

  private func record(_ path: String, at now: Instant, took time: Duration) throws {
    let made = Machine.Backup(
      time: now, duration: Seconds(time.components.seconds),
      size: Int(try OpenFile.reading(path).status().st_size))
    try backup.database.write { try Machine.record(made, of: machine, on: $0) }
  }

  private func requireSoundDatabase() throws {
    // Drops cached pages first, because the copy is made from the disk and memory may hide damage
    // there.
    backup.database.giveMemoryBack()
    if let problem = try namingDamage({ try backup.database.integrityProblems().first }) {
      throw BackupError.databaseDamaged(problem: problem)
    }
  }

  private func namingDamage<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError where error.kind == .corrupt {
      throw BackupError.databaseDamaged(problem: error.detail)
    }
  }
}
