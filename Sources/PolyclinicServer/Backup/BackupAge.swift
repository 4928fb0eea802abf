import Glibc
import PolyclinicCore

/// How old the last good backup is, in words for whoever looks after the portal.
struct BackupAge {
  let directory: BackupDirectory
  /// How often one is to be made.
  let every: Seconds

  /// Says when the last one was made.
  func sentence(at now: Instant) throws(SystemError) -> String {
    guard let newest = try directory.newest(at: now) else {
      return "There is no backup in \(directory.path) yet."
    }
    return "The last good backup, \(newest), is \(Self.words(now - newest.time)) old."
  }

  /// One that is missed once may be due to a restart; two are not made any more.
  static func isLate(_ age: Seconds, every: Seconds) -> Bool { age.count > 2 * every.count }

  /// Why backups cannot be relied upon; nil when all is well.
  func problem(at now: Instant) throws(SystemError) -> String? {
    // Where the directory is missing, the one above it is where it will be made.
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
