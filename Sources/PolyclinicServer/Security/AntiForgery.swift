import Crypto

/// The hidden `csrf` value of each form: it proves that this portal gave the form to this browser.
///
/// The value is an HMAC of its receiver, under a random mask that changes with each response:
/// compressed pages that repeat what was asked would otherwise betray it bit by bit (BREACH).
struct AntiForgery: Sendable {
  /// The cookie of a visitor who has no session. The prefix keeps other hosts of the domain from setting it.
  static let visitorCookie = "__Host-visitor"

  /// Whom a form was given to.
  enum Holder: Sendable {
    /// The hash of the session's token.
    case session([UInt8])
    /// The random value of ``AntiForgery/visitorCookie``; nothing of it is stored.
    case visitor(Token)
  }

  private static let length = 32
  /// Copied for each code: preparing the key takes half as long as the rest.
  private let keyed: HMAC<SHA256>

  init(_ vault: Vault) { keyed = HMAC(key: vault.derived("anti-forgery")) }

  /// A fresh value for one response.
  func token(for holder: Holder) -> String {
    let mask: [UInt8] = .random(Self.length)
    return Base64.url.text(mask + Self.combined(mask[...], code(of: holder)[...]))
  }

  /// Whether a form's value was given to this holder, in a time that tells nothing about it.
  func accepts(_ token: String, from holder: Holder) -> Bool {
    guard let bytes = Base64.url.decoded(token.utf8), bytes.count == 2 * Self.length else {
      return false
    }
    return Self.combined(bytes.prefix(Self.length), bytes.suffix(Self.length))
      .isSame(as: code(of: holder))
  }

  private func code(of holder: Holder) -> [UInt8] {
    var code = keyed
    switch holder {
    case .session(let hash): code.update(data: Array("session\0".utf8) + hash)
    case .visitor(let token): code.update(data: Array("visitor\0".utf8) + token.hash)
    }
    return code.finalize().withUnsafeBytes(Array.init)
  }

  private static func combined(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> [UInt8] {
    zip(one, other).map { $0 ^ $1 }
  }
}
