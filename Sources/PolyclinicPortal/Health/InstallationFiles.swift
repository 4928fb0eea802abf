import Glibc
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem
import PolyclinicWeb

/// The files of an installation that show the state of the portal.
package struct InstallationFiles: Sendable {
  package let runDirectory: RunDirectory
  /// The directory of the portal's own files, apart from the database.
  package let data: String
  /// The database's file; nil if a server keeps the database.
  package let database: String?
  /// The portal's directory of backups. A backup is made every `backupEvery`; `backupsKept` of
  /// them are kept.
  package let backups: BackupDirectory
  package let backupEvery: Seconds
  package let backupsKept: Int
  /// The name of this machine among those that share the database.
  package let machine: String

  package init(
    runDirectory: RunDirectory, data: String, database: String?, backups: BackupDirectory,
    backupEvery: Seconds, backupsKept: Int, machine: String = "this machine"
  ) {
    self.machine = machine
    self.runDirectory = runDirectory
    self.data = data
    self.database = database
    self.backups = backups
    self.backupEvery = backupEvery
    self.backupsKept = backupsKept
  }

  /// The directory of the database's file, or of the portal's own files.
  package var directory: String { database.map(FilePath.directory) ?? data }

  /// Runs `body` while no other process creates or replaces the database, or erases by a command.
  ///
  /// Throws ``SystemError`` with EWOULDBLOCK if another process does so for five seconds.
  package func whileReplacing<Value>(_ body: () throws -> Value) throws -> Value {
    try OpenFile(directory, O_RDONLY | O_DIRECTORY).whileLocked(body)
  }

  package var copies: DatabaseCopies {
    DatabaseCopies(beside: database ?? FilePath.join(data, "database"))
  }
  package var uptime: UptimeFile { UptimeFile(in: data) }
  package var releases: ReleaseDirectory { ReleaseDirectory(in: data) }

  /// Returns the time at which all backups have lost data erased now, if backups continue on
  /// schedule. It is not known for backups in the directories of other machines, because a machine
  /// removes its old ones only when it makes new ones.
  package func forgetting(
    at now: Instant, machines: [Machine]
  ) -> BackupDirectory.Forgetting {
    if machines.lastBackup(besides: machine) != nil { return .unknown }
    return backups.forgetting(at: now, every: backupEvery, keeping: backupsKept)
  }
}

extension Context {
  /// The installation's files, for the pages of the built-in modules.
  var files: InstallationFiles {
    guard let files = portal.find(InstallationFiles.self) else {
      preconditionFailure("a page without files")
    }
    return files
  }

  /// True if a backup has been made, by this machine or by another one.
  var hasBackup: Bool {
    get throws {
      if try files.backups.newest(at: now) != nil { return true }
      return try Machine.all(on: self).contains { $0.backup != nil }
    }
  }
}
