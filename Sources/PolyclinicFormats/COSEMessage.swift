/// A COSE_Sign1 message (RFC 9052, 4.2), the signed form of EU certificates.
public struct COSEMessage: Sendable {
  private let protected: [UInt8]
  private let protectedHeader: CBOR
  private let unprotectedHeader: CBOR
  /// The signature, in the form of its algorithm (RFC 9053, 2).
  public let signature: [UInt8]
  /// The signed content.
  public let payload: [UInt8]

  /// The error of bytes that are not a COSE_Sign1 message.
  public enum Fault: Error, Sendable, Equatable {
    /// The bytes, or the protected header, are not CBOR.
    case cbor
    /// The item does not have the parts of a message.
    case message
  }

  /// Reads the message, with or without its tag 18.
  public init(reading bytes: [UInt8]) throws(Fault) {
    var item = try Self.item(bytes)
    if case .tagged(18, let message) = item { item = message }
    guard let parts = item.items, parts.count == 4, let protected = parts[0].bytes,
      case .map = parts[1], let payload = parts[2].bytes, let signature = parts[3].bytes
    else { throw .message }
    self.protected = protected
    protectedHeader = protected.isEmpty ? .map([]) : try Self.item(protected)
    unprotectedHeader = parts[1]
    self.payload = payload
    self.signature = signature
  }

  private static func item(_ bytes: [UInt8]) throws(Fault) -> CBOR {
    do { return try CBOR(reading: bytes) } catch { throw .cbor }
  }

  /// The number of the algorithm (RFC 9052, 3.1), such as −7 for ES256; nil if there is none.
  public var algorithm: Int64? { header(1)?.integer }

  /// The id of the key that signed; nil if the message names none.
  public var keyID: [UInt8]? { header(4)?.bytes }

  /// Returns a header's value. The protected header has precedence (hcert-spec, 3.3.2).
  private func header(_ label: Int64) -> CBOR? {
    protectedHeader[label] ?? unprotectedHeader[label]
  }

  /// The bytes that are signed: the Sig_structure (RFC 9052, 4.4).
  public var signedBytes: [UInt8] {
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
