import PolyclinicCore
import PolyclinicCryptography
import PolyclinicSystem

/// The secret of an authenticator app, which shows a new code every half minute (TOTP, RFC 6238).
/// It uses the parameters that all apps support: SHA-1, six digits, 30 s.
package struct OneTimePassword: Sendable, Equatable {
  /// The length of a time step, in seconds.
  package static let span: Int64 = 30
  package static let digits = 6

  /// 160 random bits (RFC 4226, section 4, R6).
  package let secret: [UInt8]

  package init(secret: [UInt8]) {
    self.secret = secret
  }

  package static func random() -> OneTimePassword { OneTimePassword(secret: .random(20)) }

  /// Returns the number of the time step at a moment.
  package static func step(at now: Instant) -> Int64 { now.seconds / span }

  /// Returns the code of a time step (RFC 4226, 5.3).
  package func code(at step: Int64) -> String {
    let message = withUnsafeBytes(of: step.bigEndian, Array.init)
    let hash = HMAC(authenticatorSecret: secret).code(of: message)
    let start = Int(hash[hash.count - 1] & 0x0F)
    let number = hash[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let text = String(number % 1_000_000)
    return String(repeating: "0", count: Self.digits - text.utf8.count) + text
  }

  /// Returns the time step of a typed code if it is after `last`; otherwise nil. It accepts the
  /// current step, and the one before it for a slow clock (RFC 6238, 5.2).
  package func step(of typed: String, at now: Instant, after last: Int64) -> Int64? {
    guard let digits = Self.digits(in: typed) else { return nil }
    let present = Self.step(at: now)
    return [present, present - 1].first {
      $0 > last && Array(code(at: $0).utf8).isSame(as: Array(digits.utf8))
    }
  }

  /// Returns six digits of any script, without spaces; nil for any other text.
  package static func digits(in typed: String) -> String? {
    var digits: [UInt8] = []
    for scalar in typed.unicodeScalars.prefix(64) where !scalar.properties.isWhitespace {
      guard scalar.properties.generalCategory == .decimalNumber,
        let value = scalar.properties.numericValue
      else { return nil }
      digits.append(UInt8(ascii: "0") + UInt8(value))
    }
    return digits.count == Self.digits ? String(decoding: digits, as: UTF8.self) : nil
  }

  /// The secret in Base 32, for typing into an app.
  package var key: String { Base32.text(secret) }

  /// Returns the address in the QR code for an app
  /// (github.com/google/google-authenticator/wiki/Key-Uri-Format).
  package func address(issuer: String, login: String) -> String {
    let (issuer, login) = (percentEncoded(issuer), percentEncoded(login))
    return "otpauth://totp/\(issuer):\(login)?secret=\(key)&issuer=\(issuer)"
  }
}
