import PolyclinicCore
import PolyclinicServing
import PolyclinicWeb

/// The files beside the database that show the state of the portal.
package struct InstallationFiles: Sendable {
  package let runDirectory: RunDirectory
  package let database: String
  /// The portal's directory of backups. A backup is made every `backupEvery`; `backupsKept` of
  /// them are kept.
  package let backups: BackupDirectory
  package let backupEvery: Seconds
  package let backupsKept: Int

  package init(
    runDirectory: RunDirectory, database: String, backups: BackupDirectory, backupEvery: Seconds,
    backupsKept: Int
  ) {
    self.runDirectory = runDirectory
    self.database = database
    self.backups = backups
    self.backupEvery = backupEvery
    self.backupsKept = backupsKept
  }

  package var copies: DatabaseCopies { DatabaseCopies(beside: database) }
  package var uptime: UptimeFile { UptimeFile(beside: database) }
  package var releases: ReleaseDirectory { ReleaseDirectory(beside: database) }

  /// Returns the time at which all backups have lost data erased now, if backups continue on
  /// schedule.
  package func forgetting(at now: Instant) -> BackupDirectory.Forgetting {
    backups.forgetting(at: now, every: backupEvery, keeping: backupsKept)
  }
}

extension Context {
  /// The files beside the database, for the pages of the built-in modules.
  var files: InstallationFiles {
    guard let files = portal.find(InstallationFiles.self) else {
      preconditionFailure("a page without files")
    }
    return files
  }
}
