import Crypto
import Foundation
import PolyclinicVault

/// Seals the chunks of one backup so that none can be changed, omitted, moved or added.
///
/// - Construction: STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, 2015) over AES-256-GCM.
/// - Key: HKDF-SHA-256 of the master key, with the header's salt and the info string below. Each
///   backup has its own key.
/// - Nonce: the chunk's number in eleven bytes, then 1 for the last chunk or 0 for others, as in
///   age's format (age-encryption.org/v1). Nonces never repeat under one key, and a file cut
///   between two chunks is detected.
/// - Additional data: the whole header, in each chunk.
struct BackupCipher {
  static let chunkLength = 1 << 20
  static let tagLength = 16

  private let key: SymmetricKey
  private let header: BackupHeader
  private let binding: [UInt8]

  init(_ header: BackupHeader, master: KeyRing.Key) {
    self.header = header
    binding = header.bytes
    key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: master.secret, salt: header.salt, info: Array("polyclinic backup 1".utf8),
      outputByteCount: 32)
  }

  /// Returns the ciphertext and the tag of a chunk.
  func seal(
    _ plain: some DataProtocol, number: Int
  ) throws -> (text: Data, tag: Data) {
    let box = try AES.GCM.seal(
      plain, using: key, nonce: try nonce(number), authenticating: binding)
    return (box.ciphertext, box.tag)
  }

  /// Decrypts a chunk, given as ciphertext followed by tag. Returns nil if it is not this chunk.
  func open(_ sealed: some RandomAccessCollection<UInt8> & DataProtocol, number: Int) throws
    -> Data?
  {
    let nonce = try nonce(number)
    do {
      let box = try AES.GCM.SealedBox(
        nonce: nonce, ciphertext: sealed.dropLast(Self.tagLength),
        tag: sealed.suffix(Self.tagLength))
      return try AES.GCM.open(box, using: key, authenticating: binding)
    } catch {
      // A wrong length and a wrong tag mean the same to all callers: not a chunk of this backup.
      return nil
    }
  }

  private func nonce(_ number: Int) throws -> AES.GCM.Nonce {
    let isLast = number == header.chunkCount - 1
    let counter = withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
    return try AES.GCM.Nonce(data: [0, 0, 0] + counter + [isLast ? 1 : 0])
  }
}
