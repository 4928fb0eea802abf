import PolyclinicCore
import PolyclinicVault

/// A browser that the portal remembers for a person.
package struct RememberedBrowser {
  package let id: ID<RememberedBrowser>
  /// The browser's name as shown to its owner; empty for an unknown browser.
  package let device: String
  package let rememberedAt: Instant
}

/// The browsers that are remembered for one purpose.
///
/// A random token in a cookie identifies the browser for all people who use it. The table stores
/// the token's hash for each of them.
package struct RememberedBrowsers: Sendable {
  /// The name of the cookie that contains the token.
  package let cookie: String
  /// The time after which a browser is forgotten.
  package let lifetime: Seconds
  private let table: SQL
  private let moment: SQL
  private let sealedColumn: StaticString

  /// Browsers in which a person signs in with only the password, because they gave the second
  /// factor there.
  package static let trusted = RememberedBrowsers(
    cookie: "__Host-browser", lifetime: .days(30), table: "trusted_browsers",
    moment: "trusted_at", sealedColumn: "trusted_browsers.device")

  /// Browsers that keep a copy of a person's pages for offline reading.
  package static let offline = RememberedBrowsers(
    cookie: "__Host-offline", lifetime: .days(14), table: "home_offline_browsers",
    moment: "kept_at", sealedColumn: "home_offline_browsers.device")

  /// The table of ``offline``.
  package static let offlineSchema: [SQL] = [
    """
    CREATE TABLE home_offline_browsers (
      id_browser \(.identity),
      token_hash \(.bytes) NOT NULL,
      person \(.person),
      device \(.bytes) NOT NULL,
      kept_at \(.integer) NOT NULL,
      UNIQUE (token_hash, person)
    ) \(.strict)
    """,
    "CREATE INDEX home_offline_browsers_person ON home_offline_browsers (person)",
  ]

  /// Remembers the browser for the person whose keys the work has. Returns its cookie.
  @discardableResult
  func remember(_ token: Token, device: String, in work: Work) throws -> Effects {
    let keys = try work.keys
    let sealed = try keys.seal(Array(device.utf8), as: sealedColumn, row: Token.row(of: token.hash))
    try work.run(
      """
      INSERT INTO \(table) (token_hash, person, device, \(moment))
      VALUES (\(token.hash), \(keys.person), \(sealed), \(work.now))
      ON CONFLICT (token_hash, person) DO UPDATE SET device = excluded.device,
        \(moment) = excluded.\(moment)
      """)
    var effects = Effects()
    effects.cookies = [Effects.Cookie(cookie, token.text, lifetime: lifetime)]
    return effects
  }

  /// Returns all people for whom the browser is remembered.
  func people(by token: Token, on connection: Connection) throws -> [ID<Person>] {
    try connection.rows("SELECT person FROM \(table) WHERE token_hash = \(token.hash)") { $0.id(0) }
  }

  /// Returns the browser if it is remembered for the person.
  ///
  /// A row that was written outside the portal is ignored: only the person's keys can have sealed
  /// the device.
  package func find(_ token: Token, in work: Work) throws -> RememberedBrowser? {
    let (keys, now) = (try work.keys, work.now)
    let found = try work.row(
      """
      SELECT id_browser, device, \(moment) FROM \(table) WHERE token_hash = \(token.hash)
        AND person = \(keys.person) AND \(moment) > \(now - lifetime) AND \(moment) <= \(now)
      """
    ) { (id: $0.id(0) as ID<RememberedBrowser>, device: $0.sealed(1), at: $0.instant(2)) }
    guard let found else { return nil }
    do {
      let device = try keys.open(found.device, as: sealedColumn, row: Token.row(of: token.hash))
      return RememberedBrowser(
        id: found.id, device: String(decoding: device, as: UTF8.self), rememberedAt: found.at)
    } catch is UnsealingError {
      return nil
    }
  }

  /// Returns all browsers remembered for the person, latest first.
  package func all(
    by keys: Keys, at now: Instant, on connection: Connection
  ) throws -> [RememberedBrowser] {
    try connection.rows(
      """
      SELECT id_browser, device, \(moment), token_hash FROM \(table)
      WHERE person = \(keys.person) AND \(moment) > \(now - lifetime) AND \(moment) <= \(now)
      ORDER BY \(moment) DESC, id_browser DESC
      """
    ) { row in
      let device = try keys.open(
        row.sealed(1), as: sealedColumn, row: Token.row(of: row.bytes(3)))
      return RememberedBrowser(
        id: row.id(0), device: String(decoding: device, as: UTF8.self),
        rememberedAt: row.instant(2))
    }
  }

  /// Forgets a browser. Returns false if it is not remembered for the person.
  package func forget(
    _ id: ID<RememberedBrowser>, of person: ID<Person>, on connection: Connection
  ) throws -> Bool {
    try connection.runCounting(
      "DELETE FROM \(table) WHERE id_browser = \(id) AND person = \(person)") > 0
  }

  /// Forgets the browser for all people.
  func forget(_ token: Token, on connection: Connection) throws {
    try connection.run("DELETE FROM \(table) WHERE token_hash = \(token.hash)")
  }

  /// Forgets the browser for the person.
  package func forget(_ token: Token, of person: ID<Person>, on connection: Connection) throws {
    try connection.run(
      "DELETE FROM \(table) WHERE token_hash = \(token.hash) AND person = \(person)")
  }

  /// Forgets the browser for all other people.
  package func forget(_ token: Token, exceptFor person: ID<Person>, on connection: Connection)
    throws
  {
    try connection.run(
      "DELETE FROM \(table) WHERE token_hash = \(token.hash) AND person <> \(person)")
  }

  package func forgetAll(of person: ID<Person>, on connection: Connection) throws {
    try connection.run("DELETE FROM \(table) WHERE person = \(person)")
  }

  package func purge(at now: Instant, on connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM \(table)
      WHERE \(moment) <= \(now - lifetime) OR \(moment) > \(now + .clockLead)
      """)
  }
}
