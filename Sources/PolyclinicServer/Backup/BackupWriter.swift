import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault

/// The writer of a backup. It seals the content chunk by chunk, and keeps about one in memory.
final class BackupWriter {
  private let new: NewFile
  private let cipher: BackupCipher
  private var header: BackupHeader
  /// The content that is not sealed yet.
  private var content: [UInt8] = []
  private var sealedChunks = 0

  /// Creates the file, which gets its name when it is complete. Throws ``BackupError`` and
  /// ``SystemError``.
  init(_ path: String, _ key: KeyRing.Key, at now: Instant) throws {
    new = try Self.newFile(path)
    header = BackupHeader(key: key.id, time: now)
    cipher = BackupCipher(header, master: key)
    do { try new.file.write(header.bytes) } catch {
      new.discard()
      throw error
    }
  }

  private static func newFile(_ path: String) throws -> NewFile {
    do throws(SystemError) {
      return try NewFile(path, draftSuffix: BackupName.draftSuffix)
    } catch {
      switch error.code {
      case EEXIST: throw BackupError.alreadyThere(path: path)
      case EWOULDBLOCK: throw BackupError.underWay(path: path)
      default: throw error
      }
    }
  }

  /// Writes the beginning of the content.
  func write(_ manifest: BackupManifest) throws {
    let text = try manifest.encoded()
    try write(withUnsafeBytes(of: UInt32(text.count).bigEndian, Array.init) + text)
  }

  /// Writes bytes of the content.
  func write(_ bytes: [UInt8]) throws {
    content += bytes
    try sealWholeChunks()
  }

  /// Writes a row whose columns have these types.
  func write(_ row: Row, _ types: [StoredTable.ValueType]) throws {
    BackupRows.append(row, types, to: &content)
    try sealWholeChunks()
  }

  /// Ends the present table.
  func endTable() throws { try write([BackupRows.end]) }

  /// Seals the rest, waits until the disk has the file, and gives it its name.
  func complete() throws {
    try seal(content.count, isLast: true)
    try new.file.rewind(to: BackupHeader.lengthRange.lowerBound)
    try new.file.write(Array(header.bytes[BackupHeader.lengthRange]))
    try new.complete()
  }

  /// Removes the incomplete file.
  func discard() { new.discard() }

  private func sealWholeChunks() throws {
    // The last chunk is sealed as such, so one always stays.
    while content.count > BackupCipher.chunkLength {
      try seal(BackupCipher.chunkLength, isLast: false)
    }
  }

  private func seal(_ count: Int, isLast: Bool) throws {
    let sealed = try content.withUnsafeBytes {
      try cipher.seal(
        UnsafeRawBufferPointer(rebasing: $0[..<count]), .init(number: sealedChunks, isLast: isLast))
    }
    try new.file.write(sealed)
    content.removeFirst(count)
    header.contentLength += count
    sealedChunks += 1
    if sealedChunks.isMultiple(of: 8) {
      new.file.startWriting(header.place(ofChunks: (sealedChunks - 8)..<sealedChunks))
    }
  }
}
