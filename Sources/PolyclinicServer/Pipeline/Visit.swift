import PolyclinicCore

/// One request on its way through the pipeline: whose it is, and what its answer sets.
final class Visit: Submissions {
  let front: Front
  let wire: WireRequest
  let now: Instant
  private let keys: RecentKeys
  /// The target without its query.
  private(set) lazy var path = wire.path
  private(set) var session: Sessions.Session?
  /// Whom the token of a program stands for, in place of a session.
  var bearer: AccessToken.Bearer?
  /// The visitor's own, once it is known who that is, else what the browser asks for.
  private(set) lazy var language = front.preferredLanguage(
    cookie: Cookies.value(Cookies.language, in: wire.cookies),
    acceptLanguage: wire.acceptLanguage)
  /// Cookies that the answer sets whatever it is.
  private var cookies: [(name: String, header: String)] = []
  private(set) var clearsSiteData = false
  /// The session that was begun in a transaction; what comes of it is known when the answer is.
  private var begun: (person: ID<Person>, token: Token)?
  private lazy var visitorToken = Cookies.value(AntiForgery.visitorCookie, in: wire.cookies)
    .flatMap(Token.init)
  private var marked: (fields: Fields, mark: [UInt8]?)?
  /// What a form has made and only its answer shows.
  var secret: String?
  /// The reason why the request is refused, where it is not a missing role.
  var refusal: SecurityEvent.Refusal?
  /// Events that the log is told if the answer is no error: the transaction stands then.
  private var events: [SecurityEvent] = []
  /// Where a page leads back to that says why the route refused.
  var wayBack: Path?
  // No token: nobody looks for it by its hash.
  private(set) lazy var once = Base64.url.text(.random(32))
  /// One for all forms of the answer: each costs as much as opening what is sealed.
  private lazy var formToken = front.antiForgery.token(for: holder)

  init(_ wire: WireRequest, _ front: Front, _ keys: RecentKeys) {
    self.wire = wire
    self.front = front
    self.keys = keys
    now = front.clock()
  }

  /// Looks up who is signed in; a session that has ended counts as none.
  func identify() throws {
    guard let cookie = Cookies.value(Cookies.session, in: wire.cookies) else { return }
    guard let token = Token(cookie) else { return }
    session = try unlessAltered {
      try front.database.read { try front.sessions.find(token, at: now, by: keys, on: $0) }
    }
    if let spoken = session?.language, front.site.clinic.languages.contains(spoken) {
      language = spoken
    }
  }

  /// The person who asks, by session or token.
  var person: ID<Person>? { session?.person ?? bearer?.visitor.person }

  /// Tells the log of a failure at once, and of anything else with the answer.
  func record(_ event: SecurityEvent) {
    if event.kind.isFailure { return front.securityLog.write(event, of: self) }
    // A transaction may run again.
    if !events.contains(event) { events.append(event) }
  }

  /// Writes what was recorded, unless the answer is an error, and a refusal of the request.
  func logEvents(status: Int, route: String?) {
    if status < 400 { for event in events { front.securityLog.write(event, of: self) } }
    SecurityEvent(status: status, route: route, of: self).map(record)
  }

  /// Nil, and an entry in the log, for an account that something else than the portal has changed.
  func unlessAltered<Value>(_ find: () throws -> Value?) throws -> Value? {
    do { return try find() } catch let error as AlteredRow {
      record(SecurityEvent(.altered, of: error.person, ["table": error.table]))
      return nil
    }
  }

  /// It ended while the request was waiting.
  func loseSession() { session = nil }

  /// Whether this browser was signed in and is not any more.
  var hasLostSession: Bool {
    session == nil && Cookies.value(Cookies.session, in: wire.cookies) != nil
  }

  /// The cookies to be set, each as a `Set-Cookie` value.
  ///
  /// An error's answer sets no session: the transaction that began it was undone.
  func setCookies(for status: Int) -> [String] {
    if let begun, status < 400 {
      setCookie(Cookies.session, begun.token.text)
      removeCookie(AntiForgery.visitorCookie)
    }
    return cookies.map(\.header)
  }

  func setCookie(_ name: String, _ value: String, age: Seconds? = nil) {
    cookies.removeAll { $0.name == name }
    cookies.append((name, Cookies.set(name, value, age: age)))
  }

  private func removeCookie(_ name: String) {
    cookies.removeAll { $0.name == name }
    cookies.append((name, Cookies.removing(name)))
  }

  /// Whoever asks has no page that is spoken in a language, and no browser that asks for one.
  func answer(in language: Language) {
    if front.site.clinic.languages.contains(language) { self.language = language }
  }

  func speak(_ language: Language) {
    self.language = language
    setCookie(Cookies.language, language.code, age: .days(365))
  }
}

/// Signing in and out.
extension Visit {
  /// Begins a new session in place of whatever this browser had.
  @discardableResult
  func signIn(_ keys: Keys, on connection: Connection) throws -> Token {
    if let session { _ = try front.sessions.end(session.id, of: session.person, on: connection) }
    let token = try front.sessions.begin(
      for: keys, device: Device.name(of: wire.userAgent), at: now, on: connection)
    begun = (keys.person, token)
    return token
  }

  /// Has this browser forget who was signed in, whose session is gone already.
  func forget() {
    session = nil
    removeCookie(Cookies.session)
    clearsSiteData = true
  }

  /// Ends this browser's session, and has the browser forget what it keeps of the portal, also when
  /// the database cannot be written: the next person at this screen must not find it open.
  func signOut() throws {
    removeCookie(Cookies.session)
    clearsSiteData = true
    guard let session else { return }
    record(SecurityEvent(.signedOut, of: session.person))
    try front.database.write {
      _ = try front.sessions.end(session.id, of: session.person, on: $0)
    }
  }
}

/// What forms need of the server.
extension Visit {
  private var holder: AntiForgery.Holder {
    if let session { return .session(session.tokenHash) }
    let token = visitorToken ?? .random()
    if visitorToken == nil {
      visitorToken = token
      setCookie(AntiForgery.visitorCookie, token.text)
    }
    return .visitor(token)
  }

  var antiForgeryToken: String { formToken }

  /// Whether a form's token was given to this browser.
  func accepts(_ token: String) -> Bool {
    if session == nil, visitorToken == nil { return false }
    return front.antiForgery.accepts(token, from: holder)
  }

  /// Throws ``APIRefusal/unknownToken``, too, for a token that works no more.
  func confirmVisitor(on connection: Connection) throws {
    let (known, roles): (Visitor, Set<Role>)
    if let bearer {
      guard let now = try AccessToken.roles(by: bearer.token.id, on: connection) else {
        throw APIRefusal.unknownToken
      }
      (known, roles) = (bearer.visitor, now)
    } else if let session {
      guard let now = try front.sessions.roles(in: session, on: connection) else {
        throw Refusal.signedOut
      }
      (known, roles) = (session.visitor, now)
    } else {
      return
    }
    guard known.roles.isSubset(of: roles) else { throw Refusal.forbidden }
  }

  func charge(_ written: StorageUse, on connection: Connection) throws {
    guard let person = bearer?.visitor.person ?? session?.person else { return }
    try front.storage.charge(written, to: person, at: now, on: connection)
  }

  func readingFile<Value>(of bytes: Int, _ body: () throws -> Value) throws -> Value {
    try front.fileTurn.run(bytes, body)
  }

  func asset(_ name: String) -> Path { front.assets.path(of: name) }

  func content(ofAsset name: String) -> [UInt8]? { front.assets.content(of: name) }

  func keptInBrowser(_ name: String, of module: ModuleID) -> String? {
    Cookies.value(Cookies.name(name, of: module), in: wire.cookies)
  }

  func keepInBrowser(_ value: String, as name: String, of module: ModuleID) {
    setCookie(Cookies.name(name, of: module), value, age: .days(365))
  }

  func carriedFields() throws -> Fields? {
    guard let session, session.carries else { return nil }
    let text = try front.database.read { connection in
      try connection.row("SELECT carried FROM sessions WHERE id_session = \(session.id)") {
        String(decoding: $0.bytes(0), as: UTF8.self)
      }
    }
    guard let load = try text.flatMap({ try front.carriedForms.open($0, for: session.person) }),
      load.path.description.prefix(while: { $0 != "?" }) == path
    else { return nil }
    return load.fields
  }

  func forgetCarriedFields() throws {
    guard let session, session.carries else { return }
    try front.database.write { try front.sessions.dropCarried(in: session, on: $0) }
  }

  /// Asked for three times while a form is taken, and as dear as sealing a record.
  private func mark(of fields: Fields, _ request: Request) -> [UInt8]? {
    if let marked, marked.fields == fields { return marked.mark }
    let mark = front.answeredForms.mark(of: fields, at: request.path)
    marked = (fields, mark)
    return mark
  }

  func isAnswered(
    _ fields: Fields, of request: Request, on connection: Connection
  ) throws -> Bool {
    guard let mark = mark(of: fields, request) else { return false }
    return try front.answeredForms.find(mark, at: now, on: connection) != nil
  }

  func earlierAnswer(
    to fields: Fields, of request: Request, on connection: Connection
  ) throws -> Path? {
    guard let mark = mark(of: fields, request),
      let answer = try front.answeredForms.find(mark, at: now, on: connection)
    else { return nil }
    // Whoever sends all of it again, password and all, is the one who was signed in by it.
    if let person = answer.signedIn, session == nil,
      let keys = try KeyCabinet(front.vault).keys(of: person, on: connection)
    {
      try signIn(keys, on: connection)
    }
    return answer.path
  }

  func remember(
    _ answer: Path, to fields: Fields, of request: Request, on connection: Connection
  ) throws {
    if let session, session.carries { try front.sessions.dropCarried(in: session, on: connection) }
    guard let mark = mark(of: fields, request) else { return }
    try front.answeredForms.insert(
      mark, by: session?.person, AnsweredForms.Answer(path: answer, signedIn: begun?.person),
      at: now, on: connection)
  }
}

extension WireRequest {
  /// The target without its query.
  var path: String {
    guard let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
    return String(target[..<end])
  }

  /// The target's query, without the question mark.
  var query: Substring {
    guard let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return "" }
    return target[target.utf8.index(after: end)...]
  }
}
