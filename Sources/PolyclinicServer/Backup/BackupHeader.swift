import PolyclinicCore

/// The plain beginning of a backup, which tells which master key opens the rest.
///
/// A backup is one file:
///
/// | bytes | what |
/// | --- | --- |
/// | 20 | `polyclinic backup 1` and a line feed |
/// | 4 | the id of the master key, big-endian as all numbers here |
/// | 8 | when the copy was begun, in Unix seconds |
/// | 8 | the length of the content, in bytes |
/// | 32 | random salt |
/// | rest | the content, in chunks of 1 MiB, the last one shorter, each sealed by ``BackupCipher`` |
///
/// The content is the length of a ``BackupManifest`` in four bytes, the manifest as JSON, and the
/// database: the bytes of a SQLite file that needs no log beside it. No key is in it but those that
/// the database itself holds, which the master key wraps; the master key is not in it.
struct BackupHeader: Equatable, Sendable {
  let key: KeyRing.ID
  let time: Instant
  let contentLength: Int
  let salt: [UInt8]

  static let length = 72
  private static let saltLength = 32
  private static let magic = Array("polyclinic backup 1\n".utf8)
  private static let anyMagic = Array("polyclinic backup ".utf8)

  /// A header with a salt of its own.
  init(key: KeyRing.ID, time: Instant, contentLength: Int) {
    self.key = key
    self.time = time
    self.contentLength = contentLength
    salt = .random(Self.saltLength)
  }

  /// Throws ``BackupError`` if it is not a backup, or one of a later format.
  init(_ bytes: [UInt8], path: String) throws(BackupError) {
    guard bytes.starts(with: Self.magic) else {
      if !bytes.isEmpty, Self.magic.starts(with: bytes) { throw .cutOff(path: path) }
      if bytes.starts(with: Self.anyMagic) { throw .newerFormat(path: path) }
      throw .notABackup(path: path)
    }
    guard bytes.count >= Self.length else { throw .cutOff(path: path) }
    key = KeyRing.ID(rawValue: UInt32(truncatingIfNeeded: Self.number(bytes[20..<24])))
    time = Instant(Int64(bitPattern: Self.number(bytes[24..<32])))
    let length = Self.number(bytes[32..<40])
    // Beyond any disk: the length itself was changed.
    guard length > 0, length < 1 << 50 else { throw .changed(path: path) }
    contentLength = Int(length)
    salt = Array(bytes[40..<Self.length])
  }

  var bytes: [UInt8] {
    Self.magic + Self.bytes(key.rawValue) + Self.bytes(UInt64(bitPattern: time.seconds))
      + Self.bytes(UInt64(contentLength)) + salt
  }

  /// How many chunks the content takes.
  var chunkCount: Int {
    (contentLength + BackupCipher.chunkLength - 1) / BackupCipher.chunkLength
  }

  /// How long the whole file is.
  var fileLength: Int { Self.length + contentLength + chunkCount * BackupCipher.tagLength }

  /// Where in the content a chunk begins and ends.
  func range(ofChunk number: Int) -> Range<Int> {
    let start = number * BackupCipher.chunkLength
    return start..<min(start + BackupCipher.chunkLength, contentLength)
  }

  /// Where in the file some chunks stand.
  func place(ofChunks numbers: Range<Int>) -> Range<Int> {
    let length = BackupCipher.chunkLength + BackupCipher.tagLength
    return (Self.length + numbers.lowerBound * length)..<(Self.length + numbers.upperBound * length)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }
}
