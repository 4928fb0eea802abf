import PolyclinicCore
import PolyclinicCryptography
import PolyclinicSystem
import PolyclinicVault

/// The first step of a change that a code completes: a sign-in with a correct password, or the
/// set-up of a second factor.
///
/// A hidden field of the page carries it, sealed, so that the server stores nothing.
package struct PendingSignIn: Equatable {
  /// The longest time between the first step and the code.
  package static let lifetime = Seconds.minutes(10)

  /// The page for which a value is sealed. A value of one purpose opens for no other one.
  package enum Purpose {
    /// The second step of a sign-in. The value proves that the password was correct, and opens only
    /// in the browser with this token.
    case signIn(browser: Token)
    /// The set-up of a second factor in the session with this token. The value proves nothing, and
    /// opens only in that session.
    case setUp(session: Token)

    fileprivate var binding: [UInt8] {
      switch self {
      case .signIn(let browser): Array("sign-in".utf8) + browser.hash
      case .setUp(let session): Array("set-up".utf8) + session.hash
      }
    }
  }

  package let person: ID<Person>
  /// The SHA-256 of the stored password hash, which shows whether the password has changed since.
  let passwordDigest: [UInt8]
  package let until: Instant
  /// The secret of the authenticator app if the person is setting up a second factor.
  package let enrolling: OneTimePassword?

}

extension PendingSignIn {
  package init(_ account: Account, enrolling: OneTimePassword?, at now: Instant) {
    person = account.person
    passwordDigest = Self.passwordDigest(account)
    until = now + Self.lifetime
    self.enrolling = enrolling
  }

  /// True if the account's password has not changed since the first step.
  package func isStill(of account: Account) -> Bool {
    passwordDigest.isSame(as: Self.passwordDigest(account))
  }

  private static func passwordDigest(_ account: Account) -> [UInt8] {
    SHA256.digest(of: account.password.utf8)
  }
}

/// Seals pending sign-ins for a page, and opens them in any process of the portal.
package struct PendingSignIns: Sendable {
  private let cipher: AESCipher

  init(_ vault: Vault) throws { cipher = try AESCipher(vault.derived("pending-sign-ins")) }

  /// Returns the sealed sign-in as the value of a hidden field.
  package func seal(
    _ pending: PendingSignIn, for purpose: PendingSignIn.Purpose
  ) throws -> String {
    var bytes = ByteWriter()
    bytes.write(pending.person)
    bytes.write(pending.until.seconds)
    bytes.write(pending.passwordDigest)
    bytes.write(pending.enrolling?.secret ?? [])
    return Base64.url.text(try cipher.seal(bytes.bytes, binding: purpose.binding))
  }

  /// Returns nil for an expired sign-in, and for a text that the portal did not seal for this
  /// purpose.
  package func open(
    _ text: String, for purpose: PendingSignIn.Purpose, at now: Instant
  ) throws -> PendingSignIn? {
    guard text.utf8.count <= 1_000, let sealed = Base64.url.decoded(text) else { return nil }
    do {
      var reader = ByteReader(try cipher.open(sealed, binding: purpose.binding))
      let (person, until): (ID<Person>, Instant) = (try reader.id(), Instant(try reader.integer()))
      let (digest, secret) = (Array(try reader.bytes()), Array(try reader.bytes()))
      let pending = PendingSignIn(
        person: person, passwordDigest: digest, until: until,
        enrolling: secret.isEmpty ? nil : OneTimePassword(secret: secret))
      return now < until && until <= now + PendingSignIn.lifetime ? pending : nil
    } catch is UnsealingError {
      return nil
    }
  }
}
