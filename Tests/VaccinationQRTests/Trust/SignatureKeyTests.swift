import PolyclinicCryptography
import PolyclinicTestSupport
import Testing

@testable import VaccinationQR

/// Signatures and keys as Wycheproof makes them (github.com/C2SP/wycheproof): right ones, and those
/// that careless libraries accept.
@Suite struct SignatureKeyTests {
  private let content = Array("Moderna, 1 January 2021".utf8)
  /// The SHA-256 of the content.
  private let digest = "e51f5d698a9babfb1b481de0813f789d9a5afa012a7f8ca525171c7130145e43"
  /// The number of points of P-256 (FIPS 186-4, D.1.2.3).
  private static let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
  private static let zero = [UInt8](repeating: 0, count: 32)

  private static func hex(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count, by: 2).compactMap {
      UInt8(text.dropFirst($0).prefix(2), radix: 16)
    }
  }

  /// The sum of two numbers, with its carry in front.
  private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var (digits, carry) = ([UInt8](), 0)
    for index in (0..<max(one.count, other.count)).reversed() {
      carry += Int(one[index]) + Int(other[index])
      digits.append(UInt8(carry & 0xff))
      carry >>= 8
    }
    return [UInt8(carry)] + digits.reversed()
  }

  private func trusted(_ signer: TestSigner) throws -> TrustedKey {
    let key = TrustedKey(
      id: nil, publicKey: signer.publicKey, certificate: nil, format: .publicKey)
    try #require(key.isUsable)
    return key
  }

  private func verifies(
    _ signature: [UInt8], by key: TrustedKey, _ algorithm: SignedContent.Algorithm,
    _ content: [UInt8]? = nil
  ) -> Bool {
    key.verifies(
      SignedContent(
        algorithm: algorithm, key: .unnamed, content: content ?? self.content,
        signature: signature))
  }

  private func kind(_ der: [UInt8]) -> SignatureKey.Kind? {
    guard let key = SignatureKey(der: der) else { return nil }
    return key.kind
  }

  /// RFC 6979, A.2.5, SHA-256, "sample".
  @Test func `a published signature is verified`() throws {
    let x = Self.hex("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
    let y = Self.hex("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
    let r = Self.hex("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716")
    let s = Self.hex("f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
    let der = try #require(SignatureKey.encoded(x: x, y: y))
    let key = TrustedKey(id: nil, publicKey: der, certificate: nil, format: .publicKey)
    #expect(verifies(r + s, by: key, .es256, Array("sample".utf8)))
    #expect(!verifies(r + s, by: key, .es256, Array("Sample".utf8)))
    #expect(!verifies(s + r, by: key, .es256, Array("sample".utf8)))
  }

  @Test func `ECDSA numbers of zero, the order, above it or of wrong length are refused`() throws {
    let signer = TestSigner()
    let key = try trusted(signer)
    let right = signer.numbers(of: content)
    #expect(verifies(right, by: key, .es256))
    let (r, s) = (Array(right[..<32]), Array(right[32...]))
    let order = Self.order
    let one = Array(Self.zero.dropLast()) + [1]
    let largest = [UInt8](repeating: 0xff, count: 32)
    let wrong: [[UInt8]] = [
      [], Self.zero + Self.zero, r + Self.zero, Self.zero + s, one + one, r + order, order + s,
      order + order, r + largest, largest + s, largest + largest, r + one, one + s, s + r,
      Array(right.dropLast()), right + [0], [0] + right, Array(right.dropFirst()), r, right + right,
      [0] + r + [0] + s, signer.signature(of: content),
      Array(Self.sum(r, order).dropFirst()) + s, r + Array(Self.sum(s, order).dropFirst()),
    ]
    for signature in wrong { #expect(!verifies(signature, by: key, .es256), "\(signature)") }
    for index in right.indices {
      var changed = right
      changed[index] ^= 1
      #expect(!verifies(changed, by: key, .es256), "byte \(index)")
    }
  }

  @Test func `ECDSA signatures that are not DER are refused`() throws {
    let signer = TestSigner()
    let key = try trusted(signer)
    let numbers = signer.numbers(of: content)
    let (r, s) = (Array(numbers[..<32]), Array(numbers[32...]))
    let right = DER.sequence(DER.integer(r) + DER.integer(s))
    #expect(verifies(right, by: key, .israeli))
    #expect(verifies(signer.signature(of: content), by: key, .israeli))
    let inner = Array(right.dropFirst(2))
    let raised = (Self.sum(r, Self.order), Self.sum(s, Self.order))
    func integer(_ bytes: [UInt8]) -> [UInt8] { [0x02, UInt8(bytes.count)] + bytes }
    let wrong: [[UInt8]] =
      [
        numbers, inner, right + [0], right + [5, 0], [0] + right, [0x30, 0x00], [0x05, 0x00],
        // Lengths that BER allows: more bytes than needed, and a length given by an end.
        [0x30, 0x81, UInt8(inner.count)] + inner, [0x30, 0x82, 0, UInt8(inner.count)] + inner,
        [0x30, 0x80] + inner + [0, 0], [0x30, 0xff] + inner, [0x31, UInt8(inner.count)] + inner,
        DER.sequence(inner + [5, 0]), DER.sequence(inner + integer([1])),
        DER.sequence(DER.sequence(inner)),
        // Numbers: with zeroes in front, negative, empty, absent, of another type.
        DER.sequence(integer([0, 0] + r) + DER.integer(s)),
        DER.sequence(DER.integer(r) + integer([0, 0] + s)),
        DER.sequence(integer([0xff] + r) + DER.integer(s)),
        DER.sequence(integer([]) + DER.integer(s)), DER.sequence(DER.integer(r) + integer([])),
        DER.sequence(DER.integer(r)), DER.sequence(DER.integer(s) + DER.integer(r)),
        DER.sequence([0x03] + DER.integer(r).dropFirst() + DER.integer(s)),
        // Values: zero, the order, and the right ones plus the order.
        DER.sequence(DER.integer([]) + DER.integer([])),
        DER.sequence(DER.integer([]) + DER.integer(s)),
        DER.sequence(DER.integer(r) + DER.integer([])),
        DER.sequence(DER.integer(Self.order) + DER.integer(s)),
        DER.sequence(DER.integer(r) + DER.integer(Self.order)),
        DER.sequence(DER.integer(raised.0) + DER.integer(s)),
        DER.sequence(DER.integer(r) + DER.integer(raised.1)),
      ] + right.indices.map { Array(right.prefix($0)) }
    for signature in wrong { #expect(!verifies(signature, by: key, .israeli), "\(signature)") }
    for place in right.indices {
      var changed = right
      changed[place] ^= 1
      #expect(!verifies(changed, by: key, .israeli), "byte \(place)")
    }
  }

  @Test func `an RSA-PSS signature with other parameters than PS256 is refused`() throws {
    let signer = TestSigner.rsa
    let key = try trusted(signer)
    let right = signer.signature(of: content, .pss)
    #expect(verifies(right, by: key, .ps256))
    let others = [
      TestSigner.Scheme(padding: TestSigner.Scheme.pss.padding, salt: 0),
      TestSigner.Scheme(padding: TestSigner.Scheme.pss.padding, salt: 20),
      TestSigner.Scheme(padding: TestSigner.Scheme.pss.padding, salt: 222),
      TestSigner.Scheme(padding: TestSigner.Scheme.pss.padding, mask: "SHA1"),
      TestSigner.Scheme(padding: TestSigner.Scheme.pss.padding, digest: "SHA2-512"),
      .pkcs1,
    ]
    for scheme in others {
      #expect(!verifies(signer.signature(of: content, scheme), by: key, .ps256), "\(scheme)")
    }
    #expect(!verifies(right, by: key, .israeli) && !verifies(right, by: key, .es256))
    #expect(!verifies(right, by: key, .ps256, content + [0]))
  }

  @Test func `an RSA signature of wrong length, or changed anywhere, is refused`() throws {
    let signer = TestSigner.rsa
    let key = try trusted(signer)
    for (scheme, algorithm) in [(TestSigner.Scheme.pss, .ps256), (.pkcs1, .israeli)]
      as [(TestSigner.Scheme, SignedContent.Algorithm)]
    {
      let right = signer.signature(of: content, scheme)
      #expect(verifies(right, by: key, algorithm))
      let modulus = signer.modulus
      let wrong: [[UInt8]] = [
        [], Array(right.dropLast()), Array(right.dropFirst()), right + [0], [0] + right,
        .init(repeating: 0, count: 256), .init(repeating: 0, count: 255) + [1],
        .init(repeating: 0xff, count: 256), modulus, modulus.dropLast() + [modulus[255] - 1],
        Self.sum(right, modulus),
      ]
      for signature in wrong { #expect(!verifies(signature, by: key, algorithm), "\(signature)") }
      for place in right.indices {
        var changed = right
        changed[place] ^= 1
        #expect(!verifies(changed, by: key, algorithm), "byte \(place)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `an RSA signature without its leading zero is refused`(_ isPSS: Bool) throws {
    let signer = TestSigner.rsa
    let key = try trusted(signer)
    let algorithm: SignedContent.Algorithm = isPSS ? .ps256 : .israeli
    // One content, or one salt, of 256 has a signature that begins with a zero.
    var (signed, number) = (content, UInt32(0))
    var right = signer.signature(of: signed, isPSS ? .pss : .pkcs1)
    while right[0] != 0 {
      number += 1
      signed = content + withUnsafeBytes(of: number) { Array($0) }
      right = signer.signature(of: signed, isPSS ? .pss : .pkcs1)
    }
    #expect(verifies(right, by: key, algorithm, signed))
    #expect(!verifies(Array(right.dropFirst()), by: key, algorithm, signed))
  }

  /// Bleichenbacher's forgery (2006) and its kin: blocks whose padding is read too leniently.
  @Test func `an RSA signature whose padding is not that of PKCS 1 is refused`() throws {
    let signer = TestSigner.rsa
    let key = try trusted(signer)
    // The DigestInfo of SHA-256 (RFC 8017, 9.2, note 1).
    let digestInfo = Self.hex("3031300d060960864801650304020105000420" + digest)
    func block(_ content: [UInt8], after: [UInt8] = [0, 1], filled byte: UInt8 = 0xff) -> [UInt8] {
      let count = 256 - after.count - 1 - content.count
      return after + [UInt8](repeating: byte, count: count) + [0] + content
    }
    #expect(verifies(signer.raised(block(digestInfo)), by: key, .israeli))
    let short = [0, 1] + [UInt8](repeating: 0xff, count: 8) + [0] + digestInfo
    var withoutNull = digestInfo
    withoutNull.removeSubrange(15..<17)
    withoutNull[1] -= 2
    withoutNull[3] -= 2
    let wrong = [
      short + [UInt8](repeating: 0, count: 256 - short.count),
      short + [UInt8](repeating: 0x55, count: 256 - short.count),
      block(digestInfo + [0]), block(digestInfo, after: [0, 2]), block(digestInfo, filled: 0xfe),
      block(digestInfo, filled: 0), block(Array(digestInfo.suffix(32))), block(withoutNull),
    ]
    for (number, block) in wrong.enumerated() {
      #expect(!verifies(signer.raised(block), by: key, .israeli), "block \(number)")
    }
    let weak = TestSigner.Scheme(digest: "SHA1")
    #expect(!verifies(signer.signature(of: content, weak), by: key, .israeli))
  }

  @Test func `a key of P-256 must be a point of the curve, spelt out`() throws {
    let signer = TestSigner()
    let der = signer.publicKey
    #expect(kind(der) == .ecdsa)
    let header = Array(der.dropLast(65))
    let (x, y) = (Array(signer.point[..<32]), Array(signer.point[32...]))
    let isOdd = y[31] % 2 == 1
    let field = Self.hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
    let wrong: [[UInt8]] =
      [
        header + [4] + y + x, header + [4] + x + x, header + [4] + Self.zero + Self.zero,
        header + [4] + field + y, header + [6 + (isOdd ? 1 : 0)] + x + y,
        // The point compressed, and the point at infinity.
        Self.hex("3039301306072a8648ce3d020106082a8648ce3d030107032200") + [isOdd ? 3 : 2] + x,
        Self.hex("3019301306072a8648ce3d020106082a8648ce3d03010703020000"),
        der + [0], [0] + der, TestSigner(curve: "P-384").publicKey,
        TestSigner(curve: "secp256k1").publicKey,
        TestSigner(curve: "P-256", isSpeltOut: true).publicKey,
      ] + der.indices.map { Array(der.prefix($0)) }
    for key in wrong { #expect(kind(key) == nil, "\(key)") }
    #expect(SignatureKey.encoded(x: x, y: y) == der)
    #expect(SignatureKey.encoded(x: y, y: x) == nil)
    #expect(SignatureKey.encoded(x: Self.zero, y: Self.zero) == nil)
    #expect(SignatureKey.encoded(x: [0] + x, y: y) == nil)
  }

  @Test func `an RSA key below 2048 bits, or with an exponent of 1 or an even one, is refused`()
    throws
  {
    let signer = TestSigner.rsa
    let (modulus, exponent) = (signer.modulus, signer.exponent)
    #expect(kind(signer.publicKey) == .rsa)
    #expect(kind(signer.rsaPublicKey) == .rsa)
    #expect(SignatureKey.encoded(modulus: modulus, exponent: exponent) == signer.publicKey)
    #expect(SignatureKey.encoded(modulus: [0] + modulus, exponent: exponent) == signer.publicKey)
    #expect(SignatureKey.encoded(modulus: modulus, exponent: [3]) != nil)
    for exponent: [UInt8] in [[], [0], [1], [2], [1, 0, 0]] {
      #expect(SignatureKey.encoded(modulus: modulus, exponent: exponent) == nil)
    }
    #expect(SignatureKey.encoded(modulus: [], exponent: exponent) == nil)
    #expect(SignatureKey.encoded(modulus: Array(modulus[..<255]), exponent: exponent) == nil)
    #expect(kind(TestSigner(rsaBits: 1_024).publicKey) == nil)
    #expect(kind(signer.publicKey + [0]) == nil)
    #expect(kind(signer.rsaPublicKey + [0]) == nil)
  }

  @Test func `a key verifies nothing by the algorithm of the other kind`() throws {
    let (ecdsa, rsa) = (TestSigner(), TestSigner.rsa)
    #expect(!verifies(ecdsa.numbers(of: content), by: try trusted(rsa), .es256))
    #expect(!verifies(ecdsa.signature(of: content), by: try trusted(rsa), .israeli))
    #expect(!verifies(rsa.signature(of: content, .pss), by: try trusted(ecdsa), .ps256))
    #expect(!verifies(rsa.signature(of: content), by: try trusted(ecdsa), .israeli))
  }
}
