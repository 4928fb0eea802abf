import Glibc
import PolyclinicCore
import PolyclinicSystem

/// The file that keeps ``UptimeHistory`` across restarts, crashes and power cuts.
///
/// The end of the last span is written every few seconds without waiting for the disk, because a
/// hanging disk must not block the supervisor. The kernel writes it out within half a minute
/// (vm.dirty_expire_centisecs). Entries that a power cut loses count as outage.
package struct UptimeFile {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The file in the portal's data directory.
  package init(in data: String) {
    self.init(FilePath.join(data, "availability"))
  }

  /// Returns the record; nil if there is no file. Throws ``SystemError`` and
  /// ``UptimeHistory/Unreadable``.
  package func read() throws -> UptimeHistory? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile(path, O_RDONLY).read(atMost: 1 << 20)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    return try UptimeHistory(reading: String(decoding: bytes, as: UTF8.self))
  }

  /// Renames an unreadable file, so that the administrator can inspect it. Returns the new path.
  func setAside() throws(SystemError) -> String {
    let aside = "\(path).broken"
    guard rename(path, aside) == 0 else { throw SystemError("rename", on: path) }
    return aside
  }

  /// Replaces the file atomically, so that a reader finds either the old or the new record.
  package func write(_ history: UptimeHistory) throws(SystemError) {
    let draft = "\(path).new"
    let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o640)
    try file.write(Array(history.text.utf8))
    // Without it, a power cut could leave an empty file under the name.
    try file.synchronize()
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: path) }
  }

  /// Overwrites the end of the last span in place. Writes the whole record if the file's length has
  /// changed.
  func extend(_ history: UptimeHistory) throws(SystemError) {
    guard let last = history.spans.last else { return }
    let file = open(path, O_WRONLY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0, status.st_size == history.byteCount else {
      return try write(history)
    }
    let text = Array("\(UptimeHistory.padded(last.end))\n".utf8)
    guard pwrite(file, text, text.count, off_t(history.byteCount - text.count)) == text.count
    else { throw SystemError("pwrite", on: path) }
  }
}
