import COpenSSL
import Synchronization

/// HMAC-SHA-256 with one key (RFC 2104), for many messages and threads.
package final class HMAC: Sendable {
  // Keeps the context, because preparing the key takes longer than a short message.
  private let context: Mutex<Context>

  package init(_ key: SymmetricKey) {
    let handle = key.withUnsafeBytes { Context.handle(.sha256, $0) }
    context = Mutex(Context(.sha256, handle))
  }

  /// The HMAC-SHA-1 of an authenticator app, whose secret is shorter than a key (RFC 6238). Nothing
  /// else may use SHA-1.
  package convenience init(authenticatorSecret: [UInt8]) {
    self.init(.sha1, keyBytes: authenticatorSecret)
  }

  /// The tests' keys may have any length.
  init(_ algorithm: Algorithm = .sha256, keyBytes: [UInt8]) {
    let handle = keyBytes.withUnsafeBytes { Context.handle(algorithm, $0) }
    context = Mutex(Context(algorithm, handle))
  }

  /// Returns the code of a message. Compare codes with `isSame(as:)`, which takes constant time.
  package func code(of message: [UInt8]) -> [UInt8] {
    context.withLock { $0.code(of: message) }
  }

  enum Algorithm {
    case sha256
    case sha1

    var name: StaticString { self == .sha256 ? "SHA2-256" : "SHA1" }
    var length: Int { self == .sha256 ? 32 : 20 }
  }

  /// libcrypto's context, which holds the prepared key.
  private struct Context: ~Copyable {
    private nonisolated(unsafe) static let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)

    private let handle: OpaquePointer
    private let length: Int

    init(_ algorithm: Algorithm, _ handle: OpaquePointer) {
      self.handle = handle
      length = algorithm.length
    }

    static func handle(_ algorithm: Algorithm, _ key: UnsafeRawBufferPointer) -> OpaquePointer {
      let handle = Libcrypto.require(EVP_MAC_CTX_new(Self.algorithm))
      let parameters = [
        Libcrypto.parameter("digest", algorithm.name), OSSL_PARAM_construct_end(),
      ]
      let key = key.assumingMemoryBound(to: UInt8.self)
      Libcrypto.require(EVP_MAC_init(handle, key.baseAddress, key.count, parameters) == 1)
      return handle
    }

    // This also wipes the prepared key.
    deinit { EVP_MAC_CTX_free(handle) }

    mutating func code(of message: [UInt8]) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: length) { code, count in
        // Begins anew with the same key (EVP_MAC_init(3)).
        Libcrypto.require(
          EVP_MAC_init(handle, nil, 0, nil) == 1
            && EVP_MAC_update(handle, message, message.count) == 1
            && EVP_MAC_final(handle, code.baseAddress, &count, length) == 1)
      }
    }
  }
}
