import Foundation
import PolyclinicCore

/// A backup that is read: its content, chunk by chunk, each authenticated before anybody sees it.
struct BackupReader: ~Copyable {
  let header: BackupHeader
  let path: String
  private let file: OpenFile
  private let cipher: BackupCipher

  /// Opens a backup whose length is right and whose key the ring holds.
  ///
  /// Throws ``BackupError`` and ``SystemError``.
  init(_ path: String, ring: KeyRing) throws {
    let file = try OpenFile(path, O_RDONLY)
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

  /// Reads the whole file, hands out its database piece by piece, and returns its manifest.
  ///
  /// Throws ``BackupError/changed(path:)`` at the first chunk that is not as it was sealed: what was
  /// handed out before is genuine, and not all.
  @discardableResult
  func read(_ body: (Data) throws -> Void) throws -> BackupManifest {
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
        try body(plain)
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

  /// The manifest that the first chunk begins with, and what stands behind it.
  private func split(_ chunk: Data) throws -> (manifest: BackupManifest, rest: Data) {
    let length = chunk.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let text = chunk.dropFirst(4).prefix(length)
    guard text.count == length else { throw BackupError.changed(path: path) }
    return (try BackupManifest(text), chunk.dropFirst(4 + length))
  }
}
