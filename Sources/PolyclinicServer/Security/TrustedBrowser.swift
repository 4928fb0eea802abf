import PolyclinicCore

/// A browser in which somebody signs in with the password alone for a while, since the second factor was given there.
struct TrustedBrowser {
  static let lifetime = Seconds.days(30)
  /// Names the browser, for all people who sign in with it.
  static let cookie = "__Host-browser"

  let id: ID<TrustedBrowser>
  let device: String
  let trustedAt: Instant

  /// Trusts the browser from now on for the person's sake.
  static func trust(
    _ token: Token, for keys: Keys, device: String, at now: Instant, on connection: Connection
  ) throws {
    let sealed = try keys.seal(Array(device.utf8), as: sealedColumn, row: Token.row(of: token.hash))
    try connection.run(
      """
      INSERT INTO trusted_browsers (token_hash, person, device, trusted_at)
      VALUES (\(token.hash), \(keys.person), \(sealed), \(now))
      ON CONFLICT (token_hash, person) DO UPDATE SET device = excluded.device,
        trusted_at = excluded.trusted_at
      """)
  }

  /// True if the person has trusted the browser, and not too long ago. What else has written the row does not count:
  /// it cannot have sealed the device.
  static func isTrusted(
    _ token: Token, by keys: Keys, at now: Instant, on connection: Connection
  ) throws -> Bool {
    let device = try connection.row(
      """
      SELECT device FROM trusted_browsers WHERE token_hash = \(token.hash)
        AND person = \(keys.person) AND trusted_at > \(now - lifetime) AND trusted_at <= \(now)
      """
    ) { $0.sealed(0) }
    guard let device else { return false }
    do {
      _ = try keys.open(device, as: sealedColumn, row: Token.row(of: token.hash))
    } catch is UnsealingError {
      return false
    }
    return true
  }

  /// The browsers that the person trusts, the latest first.
  static func all(
    by keys: Keys, at now: Instant, on connection: Connection
  ) throws -> [TrustedBrowser] {
    try connection.rows(
      """
      SELECT id_browser, device, trusted_at, token_hash FROM trusted_browsers
      WHERE person = \(keys.person) AND trusted_at > \(now - lifetime)
      ORDER BY trusted_at DESC, id_browser DESC
      """
    ) { row in
      let device = try keys.open(
        row.sealed(1), as: sealedColumn, row: Token.row(of: row.bytes(3)))
      return TrustedBrowser(
        id: row.id(0), device: String(decoding: device, as: UTF8.self), trustedAt: row.instant(2))
    }
  }

  /// Returns false if the person does not trust it, or not any more.
  static func forget(
    _ id: ID<TrustedBrowser>, of person: ID<Person>, on connection: Connection
  ) throws -> Bool {
    try connection.run(
      "DELETE FROM trusted_browsers WHERE id_browser = \(id) AND person = \(person)") > 0
  }

  static func forgetAll(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM trusted_browsers WHERE person = \(person)")
  }

  static func purge(at now: Instant, on connection: Connection) throws {
    try connection.run("DELETE FROM trusted_browsers WHERE trusted_at <= \(now - lifetime)")
  }

  private static let sealedColumn: StaticString = "trusted_browsers.device"
}
