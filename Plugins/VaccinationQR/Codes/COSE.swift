/// A COSE_Sign1 message (RFC 9052, 4.2), the signed form of EU certificates.
struct COSE {
  private let protected: [UInt8]
  private let protectedHeader: CBOR
  private let unprotectedHeader: CBOR
  private let signature: [UInt8]
  /// The signed content.
  let payload: [UInt8]

  /// Reads the message, with or without its tag 18. Throws ``CodeFault``.
  init(reading bytes: [UInt8]) throws(CodeFault) {
    var item = try CBOR(reading: bytes)
    if case .tagged(18, let message) = item { item = message }
    guard let parts = item.items, parts.count == 4, let protected = parts[0].bytes,
      case .map = parts[1], let payload = parts[2].bytes, let signature = parts[3].bytes
    else { throw .cose }
    self.protected = protected
    protectedHeader = protected.isEmpty ? .map([]) : try CBOR(reading: protected)
    unprotectedHeader = parts[1]
    self.payload = payload
    self.signature = signature
  }

  /// The signature and the signed content. Header 1 is the algorithm and 4 the key's id
  /// (hcert-spec, 3.3.2). The protected header has precedence.
  var signed: SignedContent {
    let algorithm: SignedContent.Algorithm? =
      switch header(1)?.integer {
      case -7: .es256
      case -37: .ps256
      default: nil
      }
    return SignedContent(
      algorithm: algorithm, key: header(4)?.bytes.map { .id(KeyID($0)) } ?? .unnamed,
      content: signedBytes, signature: signature)
  }

  private func header(_ label: Int64) -> CBOR? {
    protectedHeader[label] ?? unprotectedHeader[label]
  }

  /// The Sig_structure (RFC 9052, 4.4).
  private var signedBytes: [UInt8] {
    var bytes: [UInt8] = [0x84, 0x6A] + Array("Signature1".utf8)
    for string in [protected, [], payload] { bytes += Self.head(of: string.count) + string }
    return bytes
  }

  /// Returns the head of a byte string (RFC 8949, 3.1). 65 535 bytes suffice, because that is the
  /// limit of inflated content.
  private static func head(of length: Int) -> [UInt8] {
    switch length {
    case 0..<24: [0x40 | UInt8(length)]
    case 24..<256: [0x58, UInt8(length)]
    default: [0x59, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
    }
  }
}
