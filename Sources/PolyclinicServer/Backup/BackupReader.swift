import Foundation
import PolyclinicCore
import PolyclinicSystem
import PolyclinicVault

/// The reader of a backup. It authenticates each chunk before it returns its content.
struct BackupReader: ~Copyable {
  let header: BackupHeader
  let path: String
  private let file: OpenFile
  private let cipher: BackupCipher

  /// Opens a backup. The file must have the right length, and the ring must hold its key.
  ///
  /// Throws ``BackupError`` and ``SystemError``.
  init(_ path: String, ring: KeyRing) throws {
    let file = try OpenFile.reading(path)
    let header = try BackupHeader(try file.read(upTo: BackupHeader.length), path: path)
    guard let master = ring[header.key] else {
      throw BackupError.unknownKey(header.key, path: path, ring: ring.path)
    }
    let length = Int(try file.status().st_size)
    guard length >= header.fileLength else { throw BackupError.cutOff(path: path) }
    guard length <= header.fileLength else { throw BackupError.tooLong(path: path) }
    self.path = path
    self.header = header
    self.file = file
    cipher = BackupCipher(header, master: master)
  }

  /// Returns the manifest. Throws ``BackupError/changed(path:)`` if the first chunks fail
  /// authentication.
  func manifest() throws -> BackupManifest { try beginning().manifest }

  /// Reads the whole file, and passes the rows to `body` piece by piece.
  ///
  /// Throws ``BackupError/changed(path:)`` at the first chunk that fails authentication. The pieces
  /// passed before are genuine but incomplete.
  func read(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    let beginning = try beginning()
    try body(beginning.rows)
    for number in beginning.chunks..<header.chunkCount { try body(chunk(number)[...]) }
  }

  /// The manifest, and the chunks that were read for it.
  private struct Beginning {
    let manifest: BackupManifest
    /// The rows behind the manifest.
    let rows: ArraySlice<UInt8>
    let chunks: Int
  }

  private func beginning() throws -> Beginning {
    try file.rewind(to: BackupHeader.length)
    var content: [UInt8] = []
    for number in 0..<header.chunkCount {
      content += try chunk(number)
      guard content.count >= 4 else { continue }
      let end = 4 + content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard content.count >= end else { continue }
      return Beginning(
        manifest: try BackupManifest(Data(content[4..<end])), rows: content[end...],
        chunks: number + 1)
    }
    throw BackupError.changed(path: path)
  }

  /// Reads and opens the next chunk of the file, which has this number.
  private func chunk(_ number: Int) throws -> [UInt8] {
    let count = header.range(ofChunk: number).count
    let sealed = try file.read(upTo: count + BackupCipher.tagLength)
    let place = BackupCipher.Place(number: number, isLast: number == header.chunkCount - 1)
    guard let plain = try cipher.open(sealed, place) else {
      throw BackupError.changed(path: path)
    }
    return plain
  }
}
