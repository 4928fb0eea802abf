import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The directory of the portal's scheduled backups, with the log of erasures.
///
/// It lists and removes only files with a ``BackupName``, and ignores all others.
package struct BackupDirectory: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Returns the last good backup, named by its start time; nil if there is none. Reads only file
  /// names.
  ///
  /// Throws ``SystemError`` if the directory exists and cannot be read.
  package func newest(at now: Instant) throws(SystemError) -> BackupName? {
    try names(at: now).last
  }

  /// Returns the names of all good backups, the oldest first.
  ///
  /// Omits names with a time in the future, made before the clock was corrected. They say nothing
  /// about today, and must not replace backups that do.
  package func names(at now: Instant) throws(SystemError) -> [BackupName] {
    try entries().compactMap(BackupName.init).filter { $0.time <= now && isFile($0) }.sorted()
  }

  /// The time at which all backups have lost data that is erased now.
  package enum Forgetting: Equatable {
    /// No backup in the directory holds the data.
    case never
    case at(Instant)
    /// The directory cannot be read, or no backup was made for so long that none is being replaced.
    case unknown
  }

  /// Returns the time at which enough newer backups will have replaced the newest one.
  package func forgetting(at now: Instant, every: Seconds, keeping count: Int) -> Forgetting {
    do throws(SystemError) {
      guard let newest = try newest(at: now) else { return .never }
      let then = newest.time + .seconds(Int(every.count) * max(count, 1))
      return then > now ? .at(then) : .unknown
    } catch { return .unknown }
  }

  /// Removes all but the newest backups. Call it only after a new one was made.
  package func prune(keeping count: Int, at now: Instant) throws(SystemError) {
    for name in try names(at: now).dropLast(max(count, 1)) { try remove(name.description) }
  }

  /// Removes unfinished files of backups that a crash interrupted.
  package func sweepDrafts() throws(SystemError) {
    for entry in try entries() where entry.hasSuffix(BackupName.draftSuffix) {
      let name = String(entry.dropLast(BackupName.draftSuffix.count))
      if BackupName(name) != nil { try remove(entry) }
    }
  }

  package func path(of name: BackupName) -> String { FilePath.join(path, name.description) }

  private func remove(_ name: String) throws(SystemError) {
    let path = FilePath.join(path, name)
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", on: path) }
  }

  private func isFile(_ name: BackupName) -> Bool {
    var status = stat()
    return lstat(path(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the names of all entries; none if the directory is missing.
  private func entries() throws(SystemError) -> [String] {
    guard let directory = opendir(path) else {
      if errno == ENOENT { return [] }
      throw SystemError("open", on: path)
    }
    defer { closedir(directory) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(directory) {
      let length = Int(strnlen(&entry.pointee.d_name.0, 256))
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix(length), as: UTF8.self)
        })
      errno = 0
    }
    guard errno == 0 else { throw SystemError("readdir", on: path) }
    return names
  }
}

/// The name of a scheduled backup: `polyclinic-20261121T093000Z.backup`.
///
/// A file gets this name when it is complete and on the disk. The time is the start of the copy.
/// Names sort by time.
package struct BackupName: Equatable, Comparable, CustomStringConvertible {
  package let time: Instant
  package let description: String

  private static let prefix = "polyclinic-"
  private static let suffix = ".backup"
  /// The suffix of a file that is still being written.
  package static let draftSuffix = ".new"

  /// Creates the name of a backup started at a time.
  package init(_ time: Instant) {
    self.time = time
    description = Self.prefix + time.basicText + Self.suffix
  }

  /// Returns nil for other names, such as that of a copy made by hand.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.prefix), text.hasSuffix(Self.suffix),
      let time = Instant(basicText: text.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
    else { return nil }
    self.init(time)
    guard description == text else { return nil }
  }

  package static func < (one: BackupName, other: BackupName) -> Bool { one.time < other.time }
}

extension Instant {
  /// Parses the format of ``basicText``.
  fileprivate init?(basicText text: Substring) {
    let digits = Array(text.utf8)
    guard digits.count == 16, digits[8] == UInt8(ascii: "T"), digits[15] == UInt8(ascii: "Z") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? { Int(String(decoding: digits[range], as: UTF8.self)) }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
      let date = CalendarDate(year: year, month: month, day: day)
    else { return nil }
    self.init(Int64(date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second))
  }
}

/// The age of the last good backup, in words for the administrator.
package struct BackupAge {
  package let directory: BackupDirectory
  /// The configured interval between backups.
  package let every: Seconds
  /// The last good backup in the directory of another machine; nil without one.
  package let other: Instant?

  package init(directory: BackupDirectory, every: Seconds, other: Instant? = nil) {
    self.directory = directory
    self.every = every
    self.other = other
  }

  /// Returns a sentence with the age of the last backup.
  package func sentence(at now: Instant) throws(SystemError) -> String {
    let own = try directory.newest(at: now)
    if let other, own.map({ $0.time < other }) ?? true {
      return "The last good backup, of another machine, is \(Self.words(now - other)) old."
    }
    guard let newest = own else {
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
    guard let newest = [try directory.newest(at: now)?.time, other].compactMap(\.self).max(),
      Self.isLate(now - newest, every: every)
    else { return nil }
    return "The last good backup is \(Self.words(now - newest)) old, and one is to be made "
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
