import Crypto
import PolyclinicCore

/// A secret from which an app makes a new code every half minute (TOTP, RFC 6238), in the way that all of them know:
/// SHA-1, six digits, 30 s.
struct OneTimePassword: Sendable, Equatable {
  /// The seconds of a time step.
  static let span: Int64 = 30
  static let digits = 6

  /// 160 random bits (RFC 4226, section 4, R6).
  let secret: [UInt8]

  static func random() -> OneTimePassword { OneTimePassword(secret: .random(20)) }

  /// The number of the step that a moment is in.
  static func step(at now: Instant) -> Int64 { now.seconds / span }

  /// The code of a step (RFC 4226, 5.3).
  func code(at step: Int64) -> String {
    let message = withUnsafeBytes(of: step.bigEndian, Array.init)
    let key = SymmetricKey(data: secret)
    let hash = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
    let start = Int(hash[hash.count - 1] & 0x0F)
    let number = hash[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let text = String(number % 1_000_000)
    return String(repeating: "0", count: Self.digits - text.utf8.count) + text
  }

  /// The step whose code was typed, if it is after `last`: the present one, or the one before it for a clock that is
  /// late (RFC 6238, 5.2).
  func step(of typed: String, at now: Instant, after last: Int64) -> Int64? {
    guard let digits = Self.digits(in: typed) else { return nil }
    let present = Self.step(at: now)
    return [present, present - 1].first {
      $0 > last && Array(code(at: $0).utf8).isSame(as: Array(digits.utf8))
    }
  }

  /// Six digits of any script, with spaces between them or not; nil for anything else.
  static func digits(in typed: String) -> String? {
    var digits: [UInt8] = []
    for scalar in typed.unicodeScalars.prefix(64) where !scalar.properties.isWhitespace {
      guard scalar.properties.generalCategory == .decimalNumber,
        let value = scalar.properties.numericValue
      else { return nil }
      digits.append(UInt8(ascii: "0") + UInt8(value))
    }
    return digits.count == Self.digits ? String(decoding: digits, as: UTF8.self) : nil
  }

  /// The secret as somebody types it into an app.
  var key: String { Base32.text(secret) }

  /// The address that an app reads from a QR code (github.com/google/google-authenticator/wiki/Key-Uri-Format).
  func address(issuer: String, login: String) -> String {
    let (issuer, login) = (percentEncoded(issuer), percentEncoded(login))
    return "otpauth://totp/\(issuer):\(login)?secret=\(key)&issuer=\(issuer)"
  }
}
