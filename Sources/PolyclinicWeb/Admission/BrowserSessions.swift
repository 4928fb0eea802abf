import PolyclinicCore
import PolyclinicVault

/// Signing in and out of one browser.
extension ServerContext {
  /// Begins a new session, and ends any other session of this browser.
  package func signIn(from client: Client, in work: Work) throws -> Effects {
    try endSession(of: client, on: work)
    var effects = Effects()
    effects.clearsSiteData = try forgetOfflineCopy(of: client, in: work)
    let token = try sessions.begin(device: client.device, in: work)
    effects.session = .begins(token: token.text, try work.keys.person)
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
    _ client: Client, among browsers: RememberedBrowsers, in work: Work
  ) throws -> Effects {
    let token = Token.random()
    if let former = client.token(of: browsers) {
      for person in try browsers.people(by: former, on: work) {
        guard let keys = try KeyStore(vault).unloggedKeys(of: person, on: work) else { continue }
        let theirs = work.with(keys)
        guard let browser = try browsers.find(former, in: theirs) else { continue }
        try browsers.remember(
          token, device: browser.device, in: theirs.at(browser.rememberedAt))
      }
      try browsers.forget(former, on: work)
    }
    return try browsers.remember(token, device: client.device, in: work)
  }

  /// Remembers this browser for its whole lifetime again, if it is remembered already. Keeps its
  /// token, because a request in flight may have sent it.
  package func extend(
    _ client: Client, among browsers: RememberedBrowsers, in work: Work
  ) throws -> Effects {
    guard let token = client.token(of: browsers), try browsers.find(token, in: work) != nil else {
      return Effects()
    }
    return try browsers.remember(token, device: client.device, in: work)
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

  /// Returns true if the browser has an offline copy of another person than the one whose keys the
  /// work has. It must delete that copy.
  private func forgetOfflineCopy(of client: Client, in work: Work) throws -> Bool {
    guard let token = client.token(of: .offline),
      try RememberedBrowsers.offline.find(token, in: work) == nil
    else { return false }
    try RememberedBrowsers.offline.forget(token, exceptFor: work.keys.person, on: work)
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

  /// The name of the browser in the list of sessions: browser and system from the `User-Agent`, such
  /// as `Firefox · Windows`, and no other part of it.
  package var device: String {
    let browsers = [
      ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
      ("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"),
      ("Safari/", "Safari"),
    ]
    let systems = [
      ("Windows", "Windows"), ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"),
      ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]
    let parts = [browsers, systems].compactMap { known in
      known.first { userAgent.contains($0.0) }?.1
    }
    return parts.joined(separator: " · ")
  }
}
