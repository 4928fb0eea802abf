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
