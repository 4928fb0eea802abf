import Crypto
import Foundation
import PolyclinicCore

/// AES-256-GCM under one key. Sealed bytes are version 1, nonce (12), ciphertext, tag (16).
///
/// Nonces are random: NIST SP 800-38D, 8.3, allows 2^32 messages under one key, which one person's
/// data never comes near.
struct AESCipher: Cipher {
  private static let version: UInt8 = 1
  private let key: SymmetricKey

  init(_ key: SymmetricKey) { self.key = key }

  func seal(_ plain: [UInt8], binding: [UInt8]) throws -> [UInt8] {
    try Self.seal(plain, under: key, prefix: [Self.version], binding: binding)
  }

  func open(_ sealed: [UInt8], binding: [UInt8]) throws -> [UInt8] {
    guard sealed.first == Self.version else { throw UnsealingError() }
    return Array(try Self.open(sealed.dropFirst(), under: key, binding: binding))
  }

  /// `prefix`, then nonce, ciphertext and tag.
  static func seal(
    _ plain: [UInt8], under key: SymmetricKey, prefix: [UInt8] = [], binding: [UInt8]
  ) throws -> [UInt8] {
    let box = try AES.GCM.seal(plain, using: key, authenticating: binding)
    var bytes = prefix
    bytes.reserveCapacity(prefix.count + 28 + plain.count)
    bytes.append(contentsOf: box.nonce)
    bytes.append(contentsOf: box.ciphertext)
    bytes.append(contentsOf: box.tag)
    return bytes
  }

  /// What nonce, ciphertext and tag hold; throws `UnsealingError` when they were not made with this
  /// key and binding.
  static func open(
    _ sealed: ArraySlice<UInt8>, under key: SymmetricKey, binding: [UInt8]
  ) throws(UnsealingError) -> Data {
    do {
      let box = try AES.GCM.SealedBox(combined: sealed)
      return try AES.GCM.open(box, using: key, authenticating: binding)
    } catch {
      // Whether the length or the tag was wrong is the same to all callers: it is not theirs.
      throw UnsealingError()
    }
  }
}
