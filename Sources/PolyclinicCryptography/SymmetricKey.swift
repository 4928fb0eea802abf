import COpenSSL
import PolyclinicSystem

/// A secret key of 256 bits.
///
/// Nothing prints it, it is compared in constant time, and its memory is overwritten when it is
/// released.
package final class SymmetricKey: @unchecked Sendable, Equatable, CustomStringConvertible {
  package static let length = 32
  private nonisolated(unsafe) static let derivation = EVP_KDF_fetch(nil, "HKDF", nil)

  // Written by the initializers alone. A pointer, because arrays leave copies and print their
  // bytes.
  private let start: UnsafeMutableRawPointer

  private init(writtenBy write: (UnsafeMutableRawBufferPointer) -> Void) {
    start = .allocate(byteCount: Self.length, alignment: 16)
    write(UnsafeMutableRawBufferPointer(start: start, count: Self.length))
  }

  /// Returns nil if the bytes are too few or too many.
  package convenience init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    self.init { $0.copyBytes(from: bytes) }
  }

  deinit {
    OPENSSL_cleanse(start, Self.length)
    start.deallocate()
  }

  package static func random() -> SymmetricKey {
    var bytes: [UInt8] = .random(length)
    defer { bytes.wipe() }
    return SymmetricKey { $0.copyBytes(from: bytes) }
  }

  /// Returns the key for one purpose, which `info` names (HKDF-SHA-256, RFC 5869).
  package func derived(salt: [UInt8], info: some Collection<UInt8>) -> SymmetricKey {
    SymmetricKey { derived in
      withUnsafeBytes { Self.derive(derived, from: $0, salt: salt, info: info) }
    }
  }

  static func derive(
    _ derived: UnsafeMutableRawBufferPointer, from key: UnsafeRawBufferPointer, salt: [UInt8],
    info: some Collection<UInt8>
  ) {
    let context = Libcrypto.require(EVP_KDF_CTX_new(derivation))
    defer { EVP_KDF_CTX_free(context) }
    salt.withUnsafeBytes { salt in
      info.inOnePiece { info in
        let parameters = [
          Libcrypto.parameter("digest", "SHA2-256"), Libcrypto.parameter("key", key),
          Libcrypto.parameter("salt", salt),
          Libcrypto.parameter("info", UnsafeRawBufferPointer(info)), OSSL_PARAM_construct_end(),
        ]
        Libcrypto.require(
          EVP_KDF_derive(
            context, derived.baseAddress?.assumingMemoryBound(to: UInt8.self), derived.count,
            parameters) == 1)
      }
    }
  }

  /// Calls `body` with the key's bytes. It must wipe each copy that it makes.
  package func withUnsafeBytes<Value, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body(UnsafeRawBufferPointer(start: start, count: Self.length))
  }

  package static func == (one: SymmetricKey, other: SymmetricKey) -> Bool {
    CRYPTO_memcmp(one.start, other.start, length) == 0
  }

  /// A fixed text, so that the secret does not get into a log by accident.
  package var description: String { "SymmetricKey" }
}
