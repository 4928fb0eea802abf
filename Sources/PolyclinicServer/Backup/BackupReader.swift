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

  /// Reads the whole file, passes its database to `body` piece by piece, and returns the manifest.
  ///
  /// Throws ``BackupError/changed(path:)`` at the first chunk that fails authentication. The pieces
  /// passed before are genuine but incomplete.
  @discardableResult
  func read(_ body: (ArraySlice<UInt8>) throws -> Void) throws -> BackupManifest {
    try file.rewind(to: BackupHeader.length)
    var manifest: BackupManifest?
    var read = 0
    for number in 0..<header.chunkCount {
      let count = header.range(ofChunk: number).count
      let sealed = try file.read(upTo: count + BackupCipher.tagLength)
      guard let plain = try cipher.open(sealed, number: number) else {
        throw BackupError.changed(path: path)
      }
      if number > 0 {
        try body(plain[...])
        read += plain.count
        continue
      }
      let first = try split(plain)
      manifest = first.manifest
      try body(first.rest)
      read = first.rest.count
    }
    guard let manifest, manifest.databaseLength == read else {
      throw BackupError.changed(path: path)
    }
    return manifest
  }

  /// Splits the first chunk into the manifest and the beginning of the database.
  private func split(_ chunk: [UInt8]) throws -> (manifest: BackupManifest, rest: ArraySlice<UInt8>)
  {
    let length = chunk.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let text = chunk.dropFirst(4).prefix(length)
    guard text.count == length else { throw BackupError.changed(path: path) }
    return (try BackupManifest(Data(text)), chunk.dropFirst(4 + length))
  }
}
