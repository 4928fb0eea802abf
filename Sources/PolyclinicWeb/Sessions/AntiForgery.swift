import PolyclinicCryptography
import PolyclinicSystem
import PolyclinicVault

/// The hidden `csrf` value of each form, which proves that this portal gave the form to this
/// browser.
///
/// The value is an HMAC of the browser's session or cookie, under a random mask that changes with
/// each response. Without the mask, compressed pages that repeat parts of the request would reveal
/// it (BREACH).
package struct AntiForgery: Sendable {
  /// The cookie of a visitor without a session. Its prefix prevents other hosts of the domain from
  /// setting it.
  static let visitorCookie = "__Host-visitor"

  /// The recipient of a form.
  enum Recipient: Sendable {
    /// The hash of the session's token.
    case session([UInt8])
    /// The random value of ``AntiForgery/visitorCookie``, which is not stored.
    case visitor(Token)
  }

  private static let length = 32
  private let keyed: HMAC

  init(_ vault: Vault) { keyed = HMAC(vault.derived("anti-forgery")) }

  /// Returns a newly masked value for one response.
  func token(for recipient: Recipient) -> String {
    let mask: [UInt8] = .random(Self.length)
    return Base64.url.text(mask + Self.combined(mask[...], code(of: recipient)[...]))
  }

  /// True if the value was issued to this holder. The comparison takes constant time.
  func accepts(_ token: String, from recipient: Recipient) -> Bool {
    guard let bytes = Base64.url.decoded(token), bytes.count == 2 * Self.length else {
      return false
    }
    return Self.combined(bytes.prefix(Self.length), bytes.suffix(Self.length))
      .isSame(as: code(of: recipient))
  }

  private func code(of recipient: Recipient) -> [UInt8] {
    switch recipient {
    case .session(let hash): keyed.code(of: Array("session\0".utf8) + hash)
    case .visitor(let token): keyed.code(of: Array("visitor\0".utf8) + token.hash)
    }
  }

  private static func combined(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> [UInt8] {
    zip(one, other).map { $0 ^ $1 }
  }
}
