import PolyclinicCore

/// The content of a code before verification. Links in it are not opened.
enum Code: Sendable {
  case european(EuropeanCertificate)
  case healthCard(HealthCard)
  /// One of several codes that form a SMART Health Card together. The portal does not join them.
  case healthCardPart(Int, of: Int)
  case israeli(IsraeliCertificate)
  /// A code with the prefix of a format that cannot be decoded.
  case unreadable(Format, CodeFault)
  case link(WebLink)
  case other(OtherFormat)
  case plainText(String)

  /// A format that the portal decodes.
  enum Format: String, CaseIterable, Sendable {
    case european = "eu"
    case healthCard = "shc"
    case israeli = "il"
  }

  /// The most bytes of a code. A QR code holds at most 7 089 digits (ISO/IEC 18004).
  static let limit = 8 * 1_024

  /// Decodes the bytes of a code, in time and memory proportional to their number.
  init(_ payload: [UInt8]) {
    if payload.starts(with: EuropeanCertificate.prefix.utf8) {
      self = Self.read(payload, .european) { bytes throws(CodeFault) in
        .european(try EuropeanCertificate(reading: bytes.dropFirst(4)))
      }
    } else if payload.starts(with: HealthCard.prefix.utf8) {
      self = Self.read(payload, .healthCard) { bytes throws(CodeFault) in
        let rest = bytes.dropFirst(5)
        if let part = Self.part(rest) { return part }
        return .healthCard(try HealthCard(reading: rest))
      }
    } else if IsraeliCertificate.matches(payload) {
      self = Self.read(payload, .israeli) { bytes throws(CodeFault) in
        .israeli(try IsraeliCertificate(reading: bytes))
      }
    } else if let other = OtherFormat(of: payload) {
      self = .other(other)
    } else {
      let text = IncomingText(payload.prefix(Self.limit)).repaired
      self = WebLink(text).map(Code.link) ?? .plainText(text)
    }
  }

  private static func read(
    _ payload: [UInt8], _ format: Format, _ body: ([UInt8]) throws(CodeFault) -> Code
  ) -> Code {
    guard payload.count <= limit else { return .unreadable(format, .size) }
    do throws(CodeFault) { return try body(payload) } catch { return .unreadable(format, error) }
  }

  /// Parses the prefix `1/3/` of a chunked card, which the specification removed in version 1.3.0.
  private static func part(_ rest: ArraySlice<UInt8>) -> Code? {
    let parts = rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3,
      let number = Int(String(decoding: parts[0], as: UTF8.self)),
      let count = Int(String(decoding: parts[1], as: UTF8.self)),
      (2...99).contains(count), (1...count).contains(number)
    else { return nil }
    return .healthCardPart(number, of: count)
  }
}

extension Code {
  /// The certificate; nil if the portal does not decode the format.
  var certificate: (any DecodedCertificate)? {
    switch self {
    case .european(let certificate): certificate
    case .healthCard(let card): card
    case .israeli(let certificate): certificate
    default: nil
    }
  }

  /// The kind in the API, such as `eu` or `link`.
  var kind: String {
    switch self {
    case .european: Format.european.rawValue
    case .healthCard: Format.healthCard.rawValue
    case .israeli: Format.israeli.rawValue
    case .healthCardPart: "shc-part"
    case .unreadable(let format, _): "unreadable-\(format.rawValue)"
    case .link: "link"
    case .other: "other"
    case .plainText: "text"
    }
  }

  /// The kind as a text for the user.
  var title: Text {
    switch self {
    case .healthCardPart(let number, let count):
      Text("code.kind.shc-part", ["number": "\(number)", "total": "\(count)"])
    case .link(let link): link.title
    case .other(let format): Text("code.other.\(format.rawValue)")
    default: Text("code.kind.\(kind)")
    }
  }
}

/// The reason for which a certificate cannot be decoded. It does not quote the code.
enum CodeFault: String, Error, CaseIterable, Sendable {
  /// The code has more than ``Code/limit`` bytes.
  case size
  /// The text is not Base45 (RFC 9285).
  case base45
  /// The compressed content is damaged or truncated, or inflates to more than ``Compression/limit``.
  case compression
  /// The content is not CBOR (RFC 8949), exceeds the limits, or has duplicate keys.
  case cbor
  /// The content is not a COSE_Sign1 message (RFC 9052).
  case cose
  /// The digits do not encode text (SMART Health Cards, "Encoding Chunks as QR Codes").
  case digits
  /// The text is not a JSON Web Signature (RFC 7515).
  case jws
  /// The content is not JSON (RFC 8259).
  case json
  /// The content is well formed but does not contain a certificate.
  case content

  /// The reason as a text for the user.
  var text: Text { Text("code.fault.\(rawValue)") }
}
