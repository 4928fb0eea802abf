import PolyclinicCore
import PolyclinicVault

/// Signing in and out of one browser.
extension ServerContext {
  /// Begins a new session, and ends any other session of this browser.
  package func signIn(
    _ keys: Keys, from client: Client, at now: Instant, on connection: Connection
  ) throws -> Effects {
    try endSession(of: client, on: connection)
    var effects = Effects()
    effects.clearsSiteData = try forgetOfflineCopy(
      of: client, unlessOf: keys, at: now, on: connection)
    let token = try sessions.begin(
      for: keys, device: Device.name(of: client.userAgent), at: now, on: connection)
    effects.session = .begins(token: token.text, keys.person)
    return effects
  }

  /// Ends this browser's session and forgets its offline copy. Returns its person; nil if it has no
  /// session.
  package func signOut(_ client: Client) throws -> ID<Person>? {
    try database.write { connection in
      let person = try endSession(of: client, on: connection)
      if let person, let token = client.token(of: .offline) {
        try RememberedBrowsers.offline.forget(token, of: person, on: connection)
      }
      return person
    }
  }

  /// Remembers this browser from now on, by a new token, because another person may know a token
  /// that the browser has sent.
  package func remember(
    _ client: Client, among browsers: RememberedBrowsers, for keys: Keys, at now: Instant,
    on connection: Connection
  ) throws -> Effects {
    let token = Token.random()
    if let former = client.token(of: browsers) {
      try browsers.replace(former, by: token, KeyStore(vault), at: now, on: connection)
    }
    return try remember(client, by: token, among: browsers, for: keys, at: now, on: connection)
  }

  /// Remembers this browser for its whole lifetime again, if it is remembered already. Keeps its
  /// token, because a request in flight may have sent it.
  package func extend(
    _ client: Client, among browsers: RememberedBrowsers, for keys: Keys, at now: Instant,
    on connection: Connection
  ) throws -> Effects {
    guard let token = client.token(of: browsers),
      try browsers.find(token, by: keys, at: now, on: connection) != nil
    else { return Effects() }
    return try remember(client, by: token, among: browsers, for: keys, at: now, on: connection)
  }

  private func remember(
    _ client: Client, by token: Token, among browsers: RememberedBrowsers, for keys: Keys,
    at now: Instant, on connection: Connection
  ) throws -> Effects {
    try browsers.remember(
      token, for: keys, device: Device.name(of: client.userAgent), at: now, on: connection)
    var effects = Effects()
    effects.cookies = [
      Effects.Cookie(browsers.cookie, token.text, lifetime: browsers.lifetime)
    ]
    return effects
  }

  /// Returns the id of this browser's session; nil if it has none.
  package func session(
    of client: Client, on connection: Connection
  ) throws -> (id: ID<Sessions.Session>, person: ID<Person>)? {
    guard let token = client.session else { return nil }
    return try connection.row(
      "SELECT id_session, person FROM sessions WHERE token_hash = \(token.hash)"
    ) { (id: $0.id(0), person: $0.id(1)) }
  }

  /// Ends this browser's session. Returns its person; nil if it has no session.
  @discardableResult
  package func endSession(of client: Client, on connection: Connection) throws -> ID<Person>? {
    guard let session = try session(of: client, on: connection) else { return nil }
    _ = try sessions.end(session.id, of: session.person, on: connection)
    return session.person
  }

  /// Returns true if the browser has an offline copy of another person, which it must delete.
  private func forgetOfflineCopy(
    of client: Client, unlessOf keys: Keys, at now: Instant, on connection: Connection
  ) throws -> Bool {
    guard let token = client.token(of: .offline),
      try RememberedBrowsers.offline.find(token, by: keys, at: now, on: connection) == nil
    else { return false }
    try RememberedBrowsers.offline.forget(token, exceptFor: keys.person, on: connection)
    return true
  }
}

extension Client {
  /// The token of the browser's session cookie; nil if it has none.
  package var session: Token? { cookie(Cookies.session).flatMap(Token.init) }

  /// The token of the browser's visit before a sign-in, or else of its session; nil if it keeps no
  /// cookies.
  package var visit: Token? {
    cookie(AntiForgery.visitorCookie).flatMap(Token.init) ?? session
  }

  /// Returns the token that identifies this browser; nil if it is not remembered.
  package func token(of browsers: RememberedBrowsers) -> Token? {
    cookie(browsers.cookie).flatMap(Token.init)
  }
}
