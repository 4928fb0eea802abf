import COpenSSL

/// Calls of libcrypto that no input makes fail. They fail only without memory, where Swift stops
/// the process too, and where OpenSSL's configuration forbids the algorithm.
enum Libcrypto {
  static func require(_ isDone: Bool) {
    precondition(isDone, "libcrypto has no memory, or openssl.cnf forbids SHA-2, HMAC or HKDF")
  }

  static func require<Value>(_ value: Value?) -> Value {
    guard let value else {
      preconditionFailure("libcrypto has no memory, or openssl.cnf forbids SHA-2, HMAC or HKDF")
    }
    return value
  }

  /// A parameter with a text. Both texts must outlive it, as literals do.
  static func parameter(_ name: StaticString, _ text: StaticString) -> OSSL_PARAM {
    OSSL_PARAM_construct_utf8_string(
      characters(name), UnsafeMutablePointer(mutating: characters(text)), text.utf8CodeUnitCount)
  }

  /// A parameter with bytes, which must outlive it.
  static func parameter(_ name: StaticString, _ bytes: UnsafeRawBufferPointer) -> OSSL_PARAM {
    OSSL_PARAM_construct_octet_string(
      characters(name), UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  private static func characters(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

extension Collection<UInt8> {
  /// Calls `body` with the bytes in one piece of memory, which most collections already are.
  func inOnePiece<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
  }
}
