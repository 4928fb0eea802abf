import PolyclinicCore
import Synchronization

/// AES-256-GCM with one key. Sealed bytes are version 1, nonce (12), ciphertext, tag (16).
///
/// Nonces are random. NIST SP 800-38D, 8.3, allows 2^32 messages under one key, which the data of
/// one person never reaches.
package final class AESCipher: Cipher {
  private static let version: [UInt8] = [1]
  private let context: Mutex<AESContext>

  package init(_ key: SymmetricKey) throws { context = Mutex(try AESContext(key)) }

  package func seal(_ plain: [UInt8], binding: [UInt8]) throws -> [UInt8] {
    try context.withLock {
      try $0.seal(plain, nonce: .random(), binding: binding, behind: Self.version)
    }
  }

  package func open(_ sealed: [UInt8], binding: [UInt8]) throws -> [UInt8] {
    guard sealed.starts(with: Self.version),
      let plain = context.withLock({ $0.open(sealed.dropFirst(), binding: binding) })
    else { throw UnsealingError() }
    return plain
  }
}
