import COpenSSL

/// A public key in libcrypto: ECDSA with P-256, or RSA.
package struct SignatureKey: ~Copyable {
  /// The kind of the key.
  package enum Kind {
    case ecdsa
    case rsa
  }

  /// A SubjectPublicKeyInfo up to the point, which follows with 64 bytes (RFC 5480, 2; SEC 1,
  /// 2.3.3). Other encodings of a P-256 key, such as one that spells out a curve, are refused.
  private static let p256: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
  ]
  private static let shortestRSA: Int32 = 2_048
  private static let coordinateLength = 32

  package let kind: Kind
  private let handle: OpaquePointer

  /// Takes over a key of libcrypto. Returns nil for another kind of key, or a weak one.
  private init?(_ handle: OpaquePointer?, encoded: [UInt8]) {
    // An invalid key leaves errors in the thread's queue.
    ERR_clear_error()
    guard let handle else { return nil }
    let isP256 =
      EVP_PKEY_get_id(handle) == EVP_PKEY_EC && encoded.starts(with: Self.p256)
      && encoded.count == Self.p256.count + 2 * Self.coordinateLength
    let isRSA = Self.isStrongRSA(handle)
    guard isP256 || isRSA else {
      EVP_PKEY_free(handle)
      return nil
    }
    kind = isP256 ? .ecdsa : .rsa
    self.handle = handle
  }

  private static func isStrongRSA(_ key: OpaquePointer) -> Bool {
    guard EVP_PKEY_get_id(key) == EVP_PKEY_RSA, EVP_PKEY_get_bits(key) >= shortestRSA else {
      return false
    }
    var exponent: OpaquePointer?
    defer { BN_free(exponent) }
    // With the exponent 1 each message is its own signature.
    return EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1
      && BN_is_odd(exponent) == 1 && BN_num_bits(exponent) > 1
  }

  /// Reads a SubjectPublicKeyInfo (RFC 5280, 4.1) or an RSAPublicKey (RFC 8017, A.1.1) in DER.
  /// Returns nil for anything else, and for weak keys.
  package init?(der: [UInt8]) {
    self.init(Self.parsed(der), encoded: der)
  }

  private static func parsed(_ der: [UInt8]) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes in
      let end = bytes.baseAddress.map { $0 + bytes.count }
      var place = bytes.baseAddress
      var key = d2i_PUBKEY(nil, &place, bytes.count)
      if key == nil {
        place = bytes.baseAddress
        key = d2i_PublicKey(EVP_PKEY_RSA, nil, &place, bytes.count)
      }
      if place == end { return key }
      EVP_PKEY_free(key)
      return nil
    }
  }

  deinit { EVP_PKEY_free(handle) }

  /// Returns the SubjectPublicKeyInfo of a point of P-256; nil if it is not on the curve.
  package static func encoded(x: [UInt8], y: [UInt8]) -> [UInt8]? {
    guard x.count == coordinateLength, y.count == coordinateLength else { return nil }
    let der = p256 + x + y
    return SignatureKey(der: der) == nil ? nil : der
  }

  /// Returns the SubjectPublicKeyInfo of an RSA key; nil if it is weak.
  package static func encoded(modulus: [UInt8], exponent: [UInt8]) -> [UInt8]? {
    let numbers = DER.integer(modulus) + DER.integer(exponent)
    guard let key = SignatureKey(der: DER.sequence(numbers)) else { return nil }
    return DER.written { i2d_PUBKEY(key.handle, $0) }
  }

  /// The padding of an RSA signature.
  package enum Padding {
    /// RSASSA-PSS, with a salt of the digest's length (RFC 8230, 2).
    case pss
    case pkcs1
  }

  /// Returns true if the key made this RSA signature of the content's SHA-256.
  package func verifies(rsa signature: [UInt8], _ padding: Padding, of content: [UInt8]) -> Bool {
    // libcrypto reads a shorter PSS signature as one with zeroes in front (RFC 8017, 8.1.2, step 1).
    kind == .rsa && signature.count == Int(EVP_PKEY_get_size(handle))
      && isRight(signature, of: content) { context in
        switch padding {
        case .pkcs1: EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        case .pss:
          EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
        }
      }
  }

  /// Returns true if the key made this ECDSA signature, in DER (RFC 3279, 2.2.3), of the content's
  /// SHA-256.
  package func verifies(ecdsa signature: [UInt8], of content: [UInt8]) -> Bool {
    kind == .ecdsa && isRight(signature, of: content) { _ in true }
  }

  /// Returns true if the key made this ECDSA signature, as r and s of 32 bytes each (RFC 9053,
  /// 2.1).
  package func verifies(ecdsaNumbers signature: [UInt8], of content: [UInt8]) -> Bool {
    guard signature.count == 2 * Self.coordinateLength else { return false }
    let numbers = [
      signature.prefix(Self.coordinateLength), signature.suffix(Self.coordinateLength),
    ]
    return verifies(
      ecdsa: DER.sequence(numbers.flatMap { DER.integer(Array($0)) }), of: content)
  }

  private func isRight(
    _ signature: [UInt8], of content: [UInt8], _ prepare: (OpaquePointer?) -> Bool
  ) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer {
      EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    var parameters: OpaquePointer?
    return EVP_DigestVerifyInit(context, &parameters, EVP_sha256(), nil, handle) == 1
      && prepare(parameters)
      && EVP_DigestVerify(context, signature, signature.count, content, content.count) == 1
  }
}

/// The two parts of DER (X.690, 8.3 and 8.9) that keys and signatures are made of.
package enum DER {
  /// Encodes a number without a sign, given with its highest byte first.
  package static func integer(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array(bytes.drop { $0 == 0 })
    let isPositive = digits.first.map { $0 < 0x80 } ?? false
    return element(0x02, isPositive ? digits : [0] + digits)
  }

  /// Encodes a sequence of encoded elements.
  package static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

  /// Returns the bytes that a function of libcrypto allocates and counts; nil if it fails.
  package static func written(
    _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
  ) -> [UInt8]? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = write(&bytes)
    guard count >= 0, let bytes else { return nil }
    defer { openssl_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    if content.count < 0x80 { return [tag, UInt8(content.count)] + content }
    let length = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }
}
