import PolyclinicCore

/// The reason for which a certificate cannot be decoded. It does not quote the code.
enum CodeFault: String, Error, CaseIterable, Sendable {
  /// The code has more than ``Code/limit`` bytes.
  case size
  /// The text is not Base45 (RFC 9285).
  case base45
  /// The compressed content is damaged or truncated, or inflates to more than ``Inflation/limit``.
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
