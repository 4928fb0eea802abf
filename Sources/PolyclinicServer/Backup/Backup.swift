import FoundationEssentials
import Glibc
import PolyclinicCore
import PolyclinicPortal
import PolyclinicStore
import PolyclinicSystem
import PolyclinicVault

/// Makes backups of one database. ``BackupHeader`` describes the file format.
struct Backup {
  let database: SQLiteDatabase
  let vault: Vault

  /// Writes a backup. The file gets its name when it is complete and on the disk. Throws
  /// ``BackupError``, ``SystemError`` or `DatabaseError`, and then leaves no file.
  ///
  /// It copies the database file in one pass, chunk by chunk. So no plain text is stored anywhere,
  /// and memory use stays at a few chunks however large the database is.
  @discardableResult
  func write(to path: String, at now: Instant) throws -> BackupManifest {
    let new = try Self.newFile(path)
    do {
      let manifest = try database.snapshot { connection, snapshot in
        try write(connection, snapshot, to: new.file, at: now)
      }
      try new.complete()
      return manifest
    } catch {
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

  private func write(
    _ connection: Connection, _ snapshot: FileSnapshot, to file: borrowing OpenFile,
    at now: Instant
  ) throws -> BackupManifest {
    // Reads the key id from the copied state, so that one recovery sheet opens both the file and
    // the data in it.
    let key = try vault.currentRing(on: connection).newest
    let manifest = try BackupManifest(
      at: now, key: key.id, databaseLength: snapshot.byteCount, on: connection)
    let content = try Content(manifest, snapshot)
    let header = BackupHeader(key: key.id, time: now, contentLength: content.length)
    let cipher = BackupCipher(header, master: key)
    try file.write(header.bytes)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: BackupCipher.chunkLength, alignment: 4_096)
    defer { buffer.deallocate() }
    for number in 0..<header.chunkCount {
      let range = header.range(ofChunk: number)
      let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer[..<range.count])
      try content.read(at: range.lowerBound, into: chunk)
      let sealed = try cipher.seal(UnsafeRawBufferPointer(chunk), number: number)
      try file.write(sealed)
      if number % 8 == 7 { file.startWriting(header.place(ofChunks: (number - 7)..<(number + 1))) }
    }
    return manifest
  }

  /// The sealed content: the manifest, then the database.
  private struct Content {
    let preamble: [UInt8]
    let snapshot: FileSnapshot

    var length: Int { preamble.count + snapshot.byteCount }

    init(_ manifest: BackupManifest, _ snapshot: FileSnapshot) throws {
      let text = try manifest.encoded()
      preamble = withUnsafeBytes(of: UInt32(text.count).bigEndian, Array.init) + text
      self.snapshot = snapshot
    }

    /// Fills the buffer with the content from `offset` on.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
      let first = preamble.dropFirst(offset).prefix(buffer.count)
      buffer.copyBytes(from: first)
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[first.count...])
      guard !rest.isEmpty else { return }
      try snapshot.read(at: offset + first.count - preamble.count, into: rest)
    }
  }
}
