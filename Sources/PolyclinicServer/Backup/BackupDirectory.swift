import Glibc
import PolyclinicCore

/// Where the portal keeps the backups that it makes by itself, beside the log of erasures.
///
/// What else stands there is nobody's business here: only files that bear a ``BackupName`` are seen,
/// and only those are ever removed.
struct BackupDirectory: Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  /// The last good backup and when it was begun; nil when there is none. Reads names alone.
  ///
  /// Throws ``SystemError`` when the directory is there and cannot be read.
  func newest(at now: Instant) throws(SystemError) -> BackupName? { try names(at: now).last }

  /// The names of all good backups, the oldest first.
  ///
  /// Without those from the future, made before the clock was set right: they say nothing about today,
  /// and must not push out those that do.
  func names(at now: Instant) throws(SystemError) -> [BackupName] {
    try entries().compactMap(BackupName.init).filter { $0.time <= now && isFile($0) }.sorted()
  }

  /// When backups forget what is erased now.
  enum Forgetting: Equatable {
    /// None of this directory holds it.
    case never
    case at(Instant)
    /// The directory cannot be read, or nothing new has been made for so long that nothing gives way.
    case unknown
  }

  /// What the newest backup holds is forgotten when so many newer ones have been made.
  func forgetting(at now: Instant, every: Seconds, keeping count: Int) -> Forgetting {
    do throws(SystemError) {
      guard let newest = try newest(at: now) else { return .never }
      let then = newest.time + .seconds(Int(every.count) * max(count, 1))
      return then > now ? .at(then) : .unknown
    } catch { return .unknown }
  }

  /// Removes all but the newest backups; to be called when a new one was made, never otherwise.
  func prune(keeping count: Int, at now: Instant) throws(SystemError) {
    for name in try names(at: now).dropLast(max(count, 1)) { try remove(name.description) }
  }

  /// Removes what backups that were cut off by a crash have left.
  func sweepDrafts() throws(SystemError) {
    for entry in try entries() where entry.hasSuffix(BackupName.draftSuffix) {
      let name = String(entry.dropLast(BackupName.draftSuffix.count))
      if BackupName(name) != nil { try remove(entry) }
    }
  }

  func path(of name: BackupName) -> String { FilePath.join(path, name.description) }

  private func remove(_ name: String) throws(SystemError) {
    let path = FilePath.join(path, name)
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", on: path) }
  }

  private func isFile(_ name: BackupName) -> Bool {
    var status = stat()
    return lstat(path(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The names of all that stands there; none where there is no directory.
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
