import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The age of the last good backup, in words for the administrator.
package struct BackupAge {
  package let directory: BackupDirectory
  /// The configured interval between backups.
  package let every: Seconds

  package init(directory: BackupDirectory, every: Seconds) {
    self.directory = directory
    self.every = every
  }

  /// Returns a sentence with the age of the last backup.
  package func sentence(at now: Instant) throws(SystemError) -> String {
    guard let newest = try directory.newest(at: now) else {
      return "There is no backup in \(directory.path) yet."
    }
    return "The last good backup, \(newest), is \(Self.words(now - newest.time)) old."
  }

  /// True after two missed backups. A single one may be missed because of a restart.
  static func isLate(_ age: Seconds, every: Seconds) -> Bool { age.count > 2 * every.count }

  /// Returns the reason why backups are unreliable; nil if all is well.
  package func problem(at now: Instant) throws(SystemError) -> String? {
    // If the directory is missing, checks the parent in which it will be made.
    let place =
      FilePath.exists(directory.path) ? directory.path : FilePath.directory(of: directory.path)
    guard access(place, R_OK | W_OK | X_OK) == 0 else {
      return "Backups cannot be made: \(SystemError("write", on: place))."
    }
    guard let newest = try directory.newest(at: now), Self.isLate(now - newest.time, every: every)
    else {
      return nil
    }
    return "The last good backup is \(Self.words(now - newest.time)) old, and one is to be made "
      + "every \(Self.words(every)): the log says why none is."
  }

  private static func words(_ span: Seconds) -> String {
    let seconds = max(span.count, 0)
    let (count, unit) =
      seconds < 7_200
      ? (seconds / 60, "minute")
      : seconds < 172_800 ? (seconds / 3_600, "hour") : (seconds / 86_400, "day")
    return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}
