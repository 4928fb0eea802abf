import Glibc
import PolyclinicCore

/// The file that remembers ``Availability`` over restarts, crashes and power cuts.
///
/// Its end is written every few seconds without waiting for the disk: the kernel does it within half a
/// minute (vm.dirty_expire_centisecs), and what a power cut takes of that counts as outage. A disk that
/// hangs must not make whoever replaces processes deaf.
struct AvailabilityFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// Where it stands: beside the database, whose life it shares.
  init(beside database: String) {
    self.init(database + ".availability")
  }

  /// What is recorded; nil where there is no file. Throws ``SystemError`` and
  /// ``Availability/Unreadable``.
  func read() throws -> Availability? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile(path, O_RDONLY).read(atMost: 1 << 20)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    return try Availability(reading: String(decoding: bytes, as: UTF8.self))
  }

  /// Puts a file that cannot be read out of the way, for whoever wants to look at it.
  func setAside() throws(SystemError) -> String {
    let aside = "\(path).broken"
    guard rename(path, aside) == 0 else { throw SystemError("rename", on: path) }
    return aside
  }

  /// Whoever reads finds the old record or the new one, whole.
  func write(_ availability: Availability) throws(SystemError) {
    let draft = "\(path).new"
    let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o640)
    try file.write(Array(availability.text.utf8))
    // Else a power cut could leave an empty file under the name.
    try file.synchronize()
    guard rename(draft, path) == 0 else { throw SystemError("rename", on: path) }
  }

  /// Writes the end of the last span in its place; the whole where the file is not what it was.
  func extend(_ availability: Availability) throws(SystemError) {
    guard let last = availability.spans.last else { return }
    let file = open(path, O_WRONLY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0, status.st_size == availability.byteCount else {
      return try write(availability)
    }
    let text = Array("\(Availability.padded(last.end))\n".utf8)
    guard pwrite(file, text, text.count, off_t(availability.byteCount - text.count)) == text.count
    else { throw SystemError("pwrite", on: path) }
  }
}
