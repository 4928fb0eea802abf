import Glibc
import PolyclinicCore
import PolyclinicSystem
import PolyclinicVault

/// The erasure ids of all erased people, in a file beside the backups: one a line, in hexadecimal.
/// A restore of a backup erases those people again.
package struct ErasureLog: Sendable {
  package static let name = "erasures.log"

  private let path: String
  private var directory: String { FilePath.directory(of: path) }

  /// The log in a directory of backups.
  package init(directory: String) { self.init(path: FilePath.join(directory, Self.name)) }

  /// A copy of a log, such as that of another machine.
  package init(path: String) { self.path = path }

  /// Returns the erasure ids in a database.
  package static func stored(on connection: Connection) throws -> [[UInt8]] {
    try connection.rows("SELECT erasure_id FROM erasures ORDER BY erasure_id") { $0.bytes(0) }
  }

  /// A line that is no erasure id, as in a file that another program has converted.
  package struct Unreadable: Error, CustomStringConvertible {
    let path: String
    let line: Int

    package var description: String {
      "Line \(line) of \(path) cannot be read, so erased people could come back. Copy the file again "
        + "as it was written, byte by byte."
    }
  }

  /// Returns the ids in the file; none if there is no file. Throws ``SystemError`` and
  /// ``Unreadable``.
  ///
  /// Ignores blanks around an id, which other programs add, and truncated lines: after a full disk
  /// the entry is written again in full on a later line, before the erasure is reported as
  /// complete.
  package func ids() throws -> [[UInt8]] {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile.reading(path).read()
    } catch {
      guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
      return []
    }
    let text =
      bytes.starts(with: Self.byteOrderMark) ? bytes[Self.byteOrderMark.count...] : bytes[...]
    var ids: [[UInt8]] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let digits = line.filter { !Self.blanks.contains($0) }
      guard digits.count <= 2 * Vault.idLength, digits.allSatisfy(Self.isHexadecimal) else {
        throw Unreadable(path: path, line: index + 1)
      }
      if digits.count == 2 * Vault.idLength, let id = [UInt8].reading(hexadecimalText: digits) {
        ids.append(id)
      }
    }
    return ids
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let blanks = Array(" \t\r".utf8)

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    Character(UnicodeScalar(byte)).isHexDigit
  }

  /// As ``append(_:)`` for the ids of a database, which holds those of all machines. Makes no file
  /// if there are none.
  package func append(allIn database: any Database) throws {
    let ids = try database.read(Self.stored)
    if !ids.isEmpty { try append(ids) }
  }

  /// Appends the ids that the file lacks, and waits until they are on the disk.
  ///
  /// Throws ``SystemError``. Call it again with the same ids to repeat a failed write.
  package func append(_ ids: [[UInt8]]) throws {
    try OpenFile.make(directory: directory)
    let file = try OpenFile(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW)
    // Gives a file that root has made to the owner of the directory, so that the portal can append
    // to it.
    try file.give(toOwnerOf: directory)
    let text = try file.read()
    let known = Set(text.split(separator: UInt8(ascii: "\n")).map(Array.init))
    let missing = ids.map { Array($0.hexadecimalText.utf8) }.filter { !known.contains($0) }
    if !missing.isEmpty {
      // Starts a new line after one that a full disk or a power cut has truncated.
      let isCut = text.last.map { $0 != UInt8(ascii: "\n") } ?? false
      let lines = missing.flatMap { $0 + [UInt8(ascii: "\n")] }
      try file.write((isCut ? [UInt8(ascii: "\n")] : []) + lines)
    }
    try file.synchronize()
    try OpenFile.synchronize(directory: directory)
  }
}
