import COpenSSL

/// The SHA-256 digest (FIPS 180-4) of bytes that come in parts.
package struct SHA256: ~Copyable {
  package static let length = 32
  // Fetched once, because each look-up among libcrypto's providers takes longer than a short
  // digest.
  private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA2-256", nil)

  private let context: OpaquePointer

  package init() {
    context = Libcrypto.require(EVP_MD_CTX_new())
    Libcrypto.require(EVP_DigestInit_ex2(context, Self.algorithm, nil) == 1)
  }

  deinit { EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    bytes.inOnePiece {
      Libcrypto.require(EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1)
    }
  }

  /// Returns the digest. It is the end: a digest takes no more bytes afterwards.
  package consuming func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.length) { digest, count in
      Libcrypto.require(EVP_DigestFinal_ex(context, digest.baseAddress, nil) == 1)
      count = Self.length
    }
  }

  package static func digest(of bytes: some Collection<UInt8>) -> [UInt8] {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finish()
  }
}
