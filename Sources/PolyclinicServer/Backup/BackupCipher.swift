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
/// - Additional data: the header without the length, in each chunk.
struct BackupCipher {
  static let chunkLength = 1 << 20
  static let tagLength = AESContext.tagLength

  private let key: SymmetricKey
  private let binding: [UInt8]

  init(_ header: BackupHeader, master: KeyRing.Key) {
    binding = header.binding
    key = master.secret.derived(salt: header.salt, info: "polyclinic backup 2".utf8)
  }

  /// Returns the ciphertext and the tag of a chunk.
  func seal(_ plain: UnsafeRawBufferPointer, _ place: Place) throws -> ArraySlice<UInt8> {
    var context = try AESContext(key)
    return try context.seal(plain, nonce: place.nonce, binding: binding)
      .dropFirst(AESContext.nonceLength)
  }

  /// Decrypts a chunk, given as ciphertext followed by tag. Returns nil if it is not this chunk.
  func open(_ sealed: [UInt8], _ place: Place) throws -> [UInt8]? {
    var context = try AESContext(key)
    return context.open(sealed[...], nonce: place.nonce, binding: binding)
  }

  /// The place of a chunk in its backup.
  struct Place {
    let number: Int
    let isLast: Bool

    fileprivate var nonce: AESContext.Nonce {
      AESContext.Nonce(ofChunk: UInt64(number), isLast: isLast)
    }
  }
}
