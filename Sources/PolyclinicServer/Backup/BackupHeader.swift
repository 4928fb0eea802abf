import PolyclinicCore
import PolyclinicVault

/// The unencrypted header of a backup. It names the master key that opens the rest.
///
/// A backup is one file:
///
/// | bytes | content |
/// | --- | --- |
/// | 20 | `polyclinic backup 2` and a line feed |
/// | 4 | the id of the master key, big-endian like all numbers here |
/// | 8 | the start of the copy, in Unix seconds |
/// | 8 | the length of the content, in bytes |
/// | 32 | random salt |
/// | rest | the content, in chunks of up to 1 MiB, each sealed by ``BackupCipher`` |
///
/// The content is the length of a ``BackupManifest`` in four bytes, the manifest as JSON, and the
/// rows of each table of the manifest, as ``BackupRows`` describes. It names no engine. Its only
/// keys are those in the database, wrapped by the master key. The master key is not part of a
/// backup.
///
/// The length is written at the end, when it is known. It only tells a file that is cut off from
/// one that was changed: the cipher marks the last chunk.
struct BackupHeader: Equatable, Sendable {
  let key: KeyRing.ID
  let time: Instant
  var contentLength = 0
  let salt: [UInt8]

  static let length = 72
  private static let saltLength = 32
  private static let magic = Array("polyclinic backup 2\n".utf8)
  /// The place of the length of the content.
  static let lengthRange = 32..<40
  private static let anyMagic = Array("polyclinic backup ".utf8)

  /// Creates a header with a new random salt.
  init(key: KeyRing.ID, time: Instant) {
    self.key = key
    self.time = time
    salt = .random(Self.saltLength)
  }

  /// Parses a header. Throws ``BackupError`` if the bytes are no backup, or of a later format.
  init(_ bytes: [UInt8], path: String) throws(BackupError) {
    guard bytes.starts(with: Self.magic) else {
      if !bytes.isEmpty, Self.magic.starts(with: bytes) { throw .cutOff(path: path) }
      if bytes.starts(with: Self.anyMagic) { throw .newerFormat(path: path) }
      throw .notABackup(path: path)
    }
    guard bytes.count >= Self.length else { throw .cutOff(path: path) }
    key = KeyRing.ID(rawValue: UInt32(truncatingIfNeeded: Self.number(bytes[20..<24])))
    time = Instant(Int64(bitPattern: Self.number(bytes[24..<32])))
    let length = Self.number(bytes[Self.lengthRange])
    // More than any disk holds, so the length itself was changed.
    guard length > 0, length < 1 << 50 else { throw .changed(path: path) }
    contentLength = Int(length)
    salt = Array(bytes[40..<Self.length])
  }

  var bytes: [UInt8] {
    Self.magic + Self.bytes(key.rawValue) + Self.bytes(UInt64(bitPattern: time.seconds))
      + Self.bytes(UInt64(contentLength)) + salt
  }

  /// The part that each chunk authenticates: all but the length.
  var binding: [UInt8] {
    var header = self
    header.contentLength = 0
    return header.bytes
  }

  /// The number of chunks.
  var chunkCount: Int {
    (contentLength + BackupCipher.chunkLength - 1) / BackupCipher.chunkLength
  }

  /// The length of the whole file in bytes.
  var fileLength: Int { Self.length + contentLength + chunkCount * BackupCipher.tagLength }

  /// Returns the range of a chunk in the content.
  func range(ofChunk number: Int) -> Range<Int> {
    let start = number * BackupCipher.chunkLength
    return start..<min(start + BackupCipher.chunkLength, contentLength)
  }

  /// Returns the range of some sealed chunks in the file.
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
