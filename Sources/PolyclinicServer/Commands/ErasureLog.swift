import Glibc
import PolyclinicCore

/// The erasure ids of all people who were erased, in a file beside the backups: one a line, in
/// hexadecimal digits. A restored backup forgets those people too.
struct ErasureLog {
  static let name = "erasures.log"

  /// The directory of the backups.
  let directory: String

  /// The ids that a database knows.
  static func stored(on connection: Connection) throws -> [[UInt8]] {
    try connection.rows("SELECT erasure_id FROM erasures") { $0.bytes(0) }
  }

  private var path: String { directory + "/" + Self.name }

  /// The ids in the file; none where there is no file. Throws ``SystemError``.
  ///
  /// A line that was cut off by a full disk is none: what it was to say stands whole behind it, since
  /// nobody is told of an erasure before it does.
  func ids() throws -> [[UInt8]] {
    guard FilePath.exists(path) else { return [] }
    return try OpenFile(path, O_RDONLY).read().split(separator: UInt8(ascii: "\n")).compactMap {
      [UInt8].reading(hexadecimalText: $0)
    }.filter { $0.count == Vault.idLength }
  }

  /// Appends those ids that are not in the file, and returns when they are on the disk.
  ///
  /// Throws ``SystemError``. The same ids may be given again: what an earlier call failed to write is
  /// made good then.
  func append(_ ids: [[UInt8]]) throws {
    try OpenFile.make(directory: directory)
    let file = try OpenFile(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW)
    // What root makes belongs to the owner of the directory: the portal must be able to append to it.
    try FileOwner.give(file, to: directory)
    let text = try file.read()
    let known = Set(text.split(separator: UInt8(ascii: "\n")).map(Array.init))
    let missing = ids.map { Array($0.hexadecimalText.utf8) }.filter { !known.contains($0) }
    if !missing.isEmpty {
      // A line that was cut off by a full disk or a power cut must not run into the next.
      let isCut = text.last.map { $0 != UInt8(ascii: "\n") } ?? false
      let lines = missing.flatMap { $0 + [UInt8(ascii: "\n")] }
      try file.write((isCut ? [UInt8(ascii: "\n")] : []) + lines)
    }
    try file.synchronize()
    try OpenFile.synchronize(directory: directory)
  }
}
