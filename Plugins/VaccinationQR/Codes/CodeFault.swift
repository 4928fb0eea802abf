import PolyclinicCore

/// A reason for which a code that begins as a certificate cannot be read as one. It quotes nothing of the code.
enum CodeFault: String, Error, CaseIterable, Sendable {
  /// The code has more than ``Code/limit`` bytes.
  case size
  /// The text is not Base45 (RFC 9285).
  case base45
  /// The compressed content is damaged or cut off, or inflates to more than ``Inflation/limit``.
  case compression
  /// The content is no CBOR (RFC 8949), or nested or repeated beyond the limits.
  case cbor
  /// The content is no COSE_Sign1 message (RFC 9052).
  case cose
  /// The digits stand for no text (SMART Health Cards, "Encoding Chunks as QR Codes").
  case digits
  /// The text is no JSON Web Signature (RFC 7515).
  case jws
  /// The content is no JSON (RFC 8259).
  case json
  /// The content is well formed, but has no certificate in it.
  case content

  /// The reason as a sentence.
  var text: Text { Text("code.fault.\(rawValue)") }
}
