import PolyclinicCryptography
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
  static let tagLength = AESContext.tagLength

  private let key: SymmetricKey
  private let header: BackupHeader
  private let binding: [UInt8]

  init(_ header: BackupHeader, master: KeyRing.Key) {
    self.header = header
    binding = header.bytes
    key = master.secret.derived(salt: header.salt, info: "polyclinic backup 1".utf8)
  }

  /// Returns the ciphertext and the tag of a chunk.
  func seal(_ plain: UnsafeRawBufferPointer, number: Int) throws -> ArraySlice<UInt8> {
    var context = try AESContext(key)
    return try context.seal(plain, nonce: nonce(number), binding: binding)
      .dropFirst(AESContext.nonceLength)
  }

  /// Decrypts a chunk, given as ciphertext followed by tag. Returns nil if it is not this chunk.
  func open(_ sealed: [UInt8], number: Int) throws -> [UInt8]? {
    var context = try AESContext(key)
    return context.open(sealed[...], nonce: nonce(number), binding: binding)
  }

  private func nonce(_ number: Int) -> AESContext.Nonce {
    AESContext.Nonce(ofChunk: UInt64(number), isLast: number == header.chunkCount - 1)
  }
}
