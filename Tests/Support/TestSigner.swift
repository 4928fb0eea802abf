import COpenSSL

/// A private key of a test, with which it signs certificates or as an authenticator.
package final class TestSigner: @unchecked Sendable {
  private let handle: OpaquePointer

  /// A new key of a curve, which its public key may spell out instead of naming it.
  package convenience init(curve: String = "P-256", isSpeltOut: Bool = false) {
    self.init("EC") { context in
      let encoding = isSpeltOut ? OPENSSL_EC_EXPLICIT_CURVE : OPENSSL_EC_NAMED_CURVE
      guard EVP_PKEY_CTX_set_group_name(context, curve) == 1 else { return 0 }
      return EVP_PKEY_CTX_set_ec_param_enc(context, encoding)
    }
  }

  /// A new RSA key.
  package convenience init(rsaBits: Int32) {
    self.init("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, rsaBits) }
  }

  /// The RSA key of all tests that need but one, because making one takes long.
  package static let rsa = TestSigner(rsaBits: 2_048)

  private init(_ algorithm: String, _ prepare: (OpaquePointer?) -> Int32) {
    let context = EVP_PKEY_CTX_new_from_name(nil, algorithm, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var handle: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, prepare(context) == 1,
      EVP_PKEY_generate(context, &handle) == 1, let handle
    else { preconditionFailure("libcrypto makes no key") }
    self.handle = handle
  }

  /// The key of P-256 with this private number of 32 bytes.
  package init(p256 number: [UInt8]) {
    // An ECPrivateKey (RFC 5915, 3) without its public key, which libcrypto computes.
    let curve: [UInt8] = [
      0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
    ]
    let der = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20] + number + curve
    let handle = der.withUnsafeBufferPointer { bytes in
      var place = bytes.baseAddress
      return d2i_PrivateKey(EVP_PKEY_EC, nil, &place, bytes.count)
    }
    guard let handle else { preconditionFailure("this is no number of a key") }
    self.handle = handle
  }

  deinit { EVP_PKEY_free(handle) }

  package var isRSA: Bool { EVP_PKEY_get_id(handle) == EVP_PKEY_RSA }

  /// The SubjectPublicKeyInfo in DER.
  package var publicKey: [UInt8] { encoded(i2d_PUBKEY) }

  /// The RSAPublicKey in DER (RFC 8017, A.1.1).
  package var rsaPublicKey: [UInt8] { encoded(i2d_PublicKey) }

  private func encoded(
    _ encode: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) -> [UInt8] {
    var der: UnsafeMutablePointer<UInt8>?
    let count = encode(handle, &der)
    defer { openssl_free(der) }
    return Array(UnsafeBufferPointer(start: der, count: Int(count)))
  }

  /// x and y, of 32 bytes each.
  package var point: [UInt8] { Array(publicKey.suffix(64)) }

  package var modulus: [UInt8] { number(OSSL_PKEY_PARAM_RSA_N) }
  package var exponent: [UInt8] { number(OSSL_PKEY_PARAM_RSA_E) }

  private func number(_ name: String) -> [UInt8] {
    var number: OpaquePointer?
    defer { BN_free(number) }
    guard EVP_PKEY_get_bn_param(handle, name, &number) == 1 else { return [] }
    var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
    BN_bn2bin(number, &bytes)
    return bytes
  }

  /// The ways of signing that the tests need, of which the portal accepts some.
  package struct Scheme {
    package var padding = RSA_PKCS1_PADDING
    /// RSA_PSS_SALTLEN_DIGEST, or a number of bytes.
    package var salt = RSA_PSS_SALTLEN_DIGEST
    package var digest = "SHA2-256"
    package var mask = "SHA2-256"

    package init(
      padding: Int32 = RSA_PKCS1_PADDING, salt: Int32 = RSA_PSS_SALTLEN_DIGEST,
      digest: String = "SHA2-256", mask: String = "SHA2-256"
    ) {
      self.padding = padding
      self.salt = salt
      self.digest = digest
      self.mask = mask
    }

    package static let pkcs1 = Scheme()
    package static let pss = Scheme(padding: RSA_PKCS1_PSS_PADDING)
  }

  /// Returns a signature: in DER for P-256, otherwise by the scheme.
  package func signature(of content: [UInt8], _ scheme: Scheme = .pkcs1) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    var isReady =
      EVP_DigestSignInit_ex(context, &parameters, scheme.digest, nil, nil, handle, nil) == 1
    if isReady, isRSA {
      isReady = EVP_PKEY_CTX_set_rsa_padding(parameters, scheme.padding) == 1
      if isReady, scheme.padding == RSA_PKCS1_PSS_PADDING {
        isReady =
          EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, scheme.salt) == 1
          && EVP_PKEY_CTX_set_rsa_mgf1_md_name(parameters, scheme.mask, nil) == 1
      }
    }
    var signature = [UInt8](repeating: 0, count: 1_024)
    var count = signature.count
    guard isReady, EVP_DigestSign(context, &signature, &count, content, content.count) == 1 else {
      preconditionFailure("libcrypto does not sign")
    }
    return Array(signature.prefix(count))
  }

  /// Returns an ECDSA signature as r and s, of 32 bytes each.
  package func numbers(of content: [UInt8]) -> [UInt8] {
    let der = signature(of: content)
    let parsed = der.withUnsafeBufferPointer { bytes in
      var place = bytes.baseAddress
      return d2i_ECDSA_SIG(nil, &place, bytes.count)
    }
    defer { ECDSA_SIG_free(parsed) }
    var numbers = [UInt8](repeating: 0, count: 64)
    numbers.withUnsafeMutableBufferPointer { numbers in
      BN_bn2binpad(ECDSA_SIG_get0_r(parsed), numbers.baseAddress, 32)
      BN_bn2binpad(ECDSA_SIG_get0_s(parsed), numbers.baseAddress.map { $0 + 32 }, 32)
    }
    return numbers
  }

  /// Returns the RSA operation on a whole block, for signatures with a padding of the test's own.
  package func raised(_ block: [UInt8]) -> [UInt8] {
    let context = EVP_PKEY_CTX_new_from_pkey(nil, handle, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var result = [UInt8](repeating: 0, count: block.count)
    var count = result.count
    guard EVP_PKEY_sign_init(context) == 1,
      EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1,
      EVP_PKEY_sign(context, &result, &count, block, block.count) == 1
    else { preconditionFailure("libcrypto does not sign") }
    return result
  }
}
