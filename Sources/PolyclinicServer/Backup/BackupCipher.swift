import Crypto
import Foundation

/// Seals the chunks of one backup so that none can be changed, left out, moved or added: the STREAM
/// construction (Hoang, Reyhanitabar, Rogaway and Vizár, 2015) over AES-256-GCM, with a key of the
/// backup's own.
///
/// The key is HKDF-SHA-256 of the master key, the header's salt, and what stands below. A chunk's nonce
/// is its number in eleven bytes and 1 for the last chunk, 0 for all others, as in age's format
/// (age-encryption.org/v1): nonces never repeat under one key, and the file cannot be cut between two
/// chunks. Each chunk is bound to the whole header.
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

  /// Ciphertext and tag of a chunk.
  func seal(
    _ plain: some DataProtocol, number: Int
  ) throws -> (text: Data, tag: Data) {
    let box = try AES.GCM.seal(
      plain, using: key, nonce: try nonce(number), authenticating: binding)
    return (box.ciphertext, box.tag)
  }

  /// What ciphertext and tag, one behind the other, hold; nil when they are not this chunk's.
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
      // A wrong length and a wrong tag are the same to all callers: it is not this backup's chunk.
      return nil
    }
  }

  private func nonce(_ number: Int) throws -> AES.GCM.Nonce {
    let isLast = number == header.chunkCount - 1
    let counter = withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
    return try AES.GCM.Nonce(data: [0, 0, 0] + counter + [isLast ? 1 : 0])
  }
}
