import PolyclinicCore
import PolyclinicCryptography
import PolyclinicSystem
import PolyclinicVault

/// Makes the challenges of passkeys, and opens each of them once, in any process of the portal.
///
/// A challenge is a sealed value, so that a page that nobody uses stores nothing. An answered one is
/// stored until it expires, whether or not its answer was right.
package struct PasskeyChallenges: Sendable {
  /// The time in which a challenge must be answered (WebAuthn Level 3, 15.1).
  package static let lifetime = Seconds.minutes(5)
  private static let randomLength = 16

  package static let schema: [SQL] = [
    """
    CREATE TABLE spent_challenges (
      challenge_hash \(.bytes) NOT NULL PRIMARY KEY,
      expires_at \(.integer) NOT NULL
    ) \(.strict)
    """
  ]

  /// The action for which a challenge is sealed. A value of one purpose opens for no other one.
  package enum Purpose {
    /// A sign-in, in the browser with this token.
    case signIn(browser: Token)
    /// A new passkey of this person, in the session with this token, or in the browser with it while
    /// the person signs in. The value proves that the person has just signed in, or has given the
    /// password.
    case adding(ID<Person>, in: Token)

    fileprivate var binding: [UInt8] {
      switch self {
      case .signIn(let browser): return Array("sign-in".utf8) + browser.hash
      case .adding(let person, let token):
        return Array("adding".utf8) + token.hash + Array("\(person)".utf8)
      }
    }
  }

  private let cipher: AESCipher

  init(_ vault: Vault) throws { cipher = try AESCipher(vault.derived("passkey-challenges")) }

  /// Returns a challenge. That for a new passkey carries the account's user handle, which is stored
  /// with the first passkey.
  package func make(
    for purpose: Purpose, handle: [UInt8] = [], at now: Instant
  ) throws -> String {
    var bytes = ByteWriter()
    bytes.write((now + Self.lifetime).seconds)
    bytes.write([UInt8].random(Self.randomLength))
    bytes.write(handle)
    return Base64.url.text(try cipher.seal(bytes.bytes, binding: purpose.binding))
  }

  /// Opens a challenge, which cannot be opened again, in a transaction of its own. Returns its user
  /// handle.
  ///
  /// Throws ``PasskeyFault/expired`` and ``PasskeyFault/replayed``.
  package func spend(
    _ challenge: String, for purpose: Purpose, at now: Instant, in database: any Database
  ) throws -> [UInt8] {
    guard challenge.utf8.count <= 1_000, let sealed = Base64.url.decoded(challenge),
      let opened = try open(sealed, for: purpose),
      now < opened.until, opened.until <= now + Self.lifetime
    else { throw PasskeyFault.expired }
    let isFirst = try database.write {
      try $0.runCounting(
        """
        INSERT INTO spent_challenges (challenge_hash, expires_at)
        VALUES (\(SHA256.digest(of: sealed)), \(opened.until)) ON CONFLICT DO NOTHING
        """) > 0
    }
    guard isFirst else { throw PasskeyFault.replayed }
    return opened.handle
  }

  private func open(
    _ sealed: [UInt8], for purpose: Purpose
  ) throws -> (until: Instant, handle: [UInt8])? {
    do {
      var reader = ByteReader(try cipher.open(sealed, binding: purpose.binding))
      let until = Instant(try reader.integer())
      _ = try reader.bytes()
      return (until, Array(try reader.bytes()))
    } catch is UnsealingError {
      return nil
    }
  }

  /// Deletes challenges that have expired. A job calls it.
  package static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM spent_challenges
      WHERE expires_at <= \(now) OR expires_at > \(now + lifetime + .clockLead)
      """)
  }
}
