import PolyclinicPortal
import PolyclinicServing

extension InstallationFiles {
  /// Returns the files of an installation in a directory.
  package static func test(
    in directory: String, backups: String? = nil, database: String? = nil
  ) -> InstallationFiles {
    InstallationFiles(
      runDirectory: RunDirectory(directory), data: directory,
      database: database ?? directory + "/db", backups: BackupDirectory(backups ?? directory),
      backupEvery: .hours(24), backupsKept: 14)
  }

  /// Files that do not exist.
  package static let none = test(in: "/nonexistent")
}
