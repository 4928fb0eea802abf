import Logging
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem
import PolyclinicVault

/// A request whose visitor is not looked up yet.
struct IncomingRequest {
  let wire: WireRequest
  let server: ServerContext
  /// The keys that the thread has opened.
  let keys: KeyCache
  /// The snapshot of the database that the response shows, at the time of the request.
  let snapshot: Work
  /// The person in care whose pages the address shows; nil for the visitor's own.
  let inCare: ID<Person>?
  /// The path of the page, without the part about the person in care.
  let path: String

  init(wire: WireRequest, server: ServerContext, keys: KeyCache, snapshot: Work) {
    (self.wire, self.server, self.keys, self.snapshot) = (wire, server, keys, snapshot)
    (inCare, path) = PersonInCare.parts(of: wire.path)
  }

  /// Returns the people for whom a guardian may act. Logs the event and returns none if a
  /// guardianship was modified outside the portal.
  fileprivate func peopleInCare(of guardian: ID<Person>?) throws -> [OpenedPerson] {
    try guardian.flatMap { guardian in
      try unlessAltered { try OpenedPerson.all(of: guardian, by: keys, in: snapshot) }
    } ?? []
  }

  /// Returns the person of the address, if that person shows the visitor records; nil if not. Logs
  /// the event if a row was modified outside the portal.
  fileprivate func personShown(to visitor: Visitor?) throws -> OpenedPerson? {
    guard let visitor, let inCare else { return nil }
    return try unlessAltered {
      try OpenedPerson.find(inCare, shownTo: visitor, by: keys, in: snapshot)
    }
  }

  /// Runs `find`. Returns nil and logs the event if the account was modified outside the portal.
  fileprivate func unlessAltered<Value>(_ find: () throws -> Value?) throws -> Value? {
    do { return try find() } catch let error as AlteredRow {
      server.securityLog.write(
        SecurityEvent(.altered, of: error.person, ["table": error.table]),
        from: SecurityLog.Sender(client: wire.client, person: nil, time: snapshot.now))
      return nil
    }
  }
}

/// A request with its visitor: the session or the API token, the language, and the tokens for the
/// forms of its response, each made when the first form needs it. The visitor does not change.
package final class AdmittedRequest {
  private let incoming: IncomingRequest
  let client: Client
  let session: Sessions.Session?
  /// The people for whom the session's person may act; empty for most.
  let peopleInCare: [OpenedPerson]
  /// The person whose pages the address shows, if it is not the visitor.
  let inCare: OpenedPerson?
  /// The owner of the API token, in place of a session.
  let bearer: AccessToken.Bearer?
  /// The user's language if the user is known, otherwise the one that the browser prefers.
  let language: Language
  /// The words for the request's change in an access log; nil if it changes nothing that lasts.
  var change: Text?
  // Both are computed for the first form, because a response without forms needs none, and the
  // token costs as much as decrypting a value. They have the same value whenever they are computed.
  package private(set) lazy var antiForgeryToken = server.antiForgery.token(for: recipient)
  // Not a ``Token``, because it is never looked up by its hash.
  package private(set) lazy var idempotencyKey = server.interruptedForms.once(
    for: session?.person)
  /// The token of ``AntiForgery/visitorCookie``, from the browser's cookie or new.
  private lazy var browserToken: (token: Token, isNew: Bool) =
    client.cookie(AntiForgery.visitorCookie).flatMap(Token.init).map { ($0, false) }
    ?? (.random(), true)

  // Both count the request once, although its transaction may run again.
  /// The time that the session's person must wait before a form is stored; nil if it is stored now.
  private(set) lazy var formWait = session.flatMap {
    server.idempotency.wait(for: $0.person, at: now)
  }
  /// The time that the person must wait before the storage is counted; nil if it is counted now.
  private lazy var countWait = keys.flatMap { server.storage.wait(for: $0.person, at: now) }

  /// Admits a request of an unknown visitor, or of the owner of a session or a token.
  init(
    _ incoming: IncomingRequest, session: Sessions.Session? = nil,
    bearer: AccessToken.Bearer? = nil, peopleInCare: [OpenedPerson] = [],
    shown: OpenedPerson? = nil
  ) {
    self.incoming = incoming
    self.session = session
    self.bearer = bearer
    self.peopleInCare = peopleInCare
    inCare = peopleInCare.first { $0.inCare.person == incoming.inCare } ?? shown
    client = incoming.wire.client
    language = incoming.server.language(of: session, bearer, incoming.wire)
  }

  var server: ServerContext { incoming.server }
  var wire: WireRequest { incoming.wire }
  var snapshot: Work { incoming.snapshot }
  var now: Instant { incoming.snapshot.now }

  private var recipient: AntiForgery.Recipient {
    session.map { .session($0.tokenHash) } ?? .visitor(browserToken.token)
  }

  /// The sender of the request's form.
  var sender: IdempotencyStore.Sender {
    session.map { .person($0.person) } ?? .visitor(browserToken.token)
  }

  /// A token for the browser's cookie; nil if the browser has one or a session.
  var newBrowserToken: Token? {
    session == nil && browserToken.isNew ? browserToken.token : nil
  }

  /// Admits a request with the session of its cookie. An expired session counts as none.
  static func identified(_ incoming: IncomingRequest) throws -> AdmittedRequest {
    let session = try incoming.wire.client.session.flatMap { token in
      try incoming.unlessAltered {
        try incoming.server.sessions.find(token, by: incoming.keys, in: incoming.snapshot)
      }
    }
    let people =
      session?.isGuardian == true ? try incoming.peopleInCare(of: session?.person) : []
    // Somebody who is both reads as the guardian.
    let shown =
      people.contains { $0.inCare.person == incoming.inCare }
      ? nil : try incoming.personShown(to: session?.visitor)
    return AdmittedRequest(incoming, session: session, peopleInCare: people, shown: shown)
  }

  /// Throws ``Rejection/notInCare`` if the address names somebody for whom the visitor may not act.
  func requireInCare() throws {
    if incoming.inCare != nil, inCare == nil, person != nil { throw Rejection.notInCare }
  }

  /// Notes in the access log of the person of the address that the visitor has opened the person's
  /// records on a page with this title, or else in a module. Does nothing if the log has an entry of
  /// this hour.
  func logView(in member: InstalledModule, titled title: Text? = nil) throws {
    guard let inCare else { return }
    let module = member.module
    // Pages about doctors and times are not records.
    let isAboutBookings = if case .bookings = module.guardianAccess { true } else { false }
    let viewed = isAboutBookings ? module.title : title ?? module.title
    try logView(
      of: inCare, reading: viewed.spoken(by: module.id), for: inCare.inCare.reason(in: module.id))
  }

  /// As ``logView(in:)``, for a person of whom the visitor's own page shows something.
  func logView(of person: OpenedPerson, reading viewed: Text, for reason: AccessReason) throws {
    if person.isLogged(viewed) { return }
    try server.database.write {
      try AccessLog.record(
        [person.keys], for: reason, reading: viewed,
        in: Work(visitor: visitor, at: now, on: $0))
    }
  }

  /// Admits an API request. A token takes precedence over a session if the request has both.
  ///
  /// Throws ``APIRefusal/unknownToken`` for an invalid token.
  static func program(_ incoming: IncomingRequest) throws -> AdmittedRequest {
    guard let authorization = incoming.wire.api.authorization else {
      return try identified(incoming)
    }
    let bearer = try secret(in: authorization).flatMap { secret in
      try incoming.unlessAltered {
        try AccessToken.find(secret, by: incoming.keys, in: incoming.snapshot)
      }
    }
    guard let bearer else { throw APIRefusal.unknownToken }
    let people =
      incoming.inCare == nil ? [] : try incoming.peopleInCare(of: bearer.visitor.person)
    return AdmittedRequest(incoming, bearer: bearer, peopleInCare: people)
  }

  /// Returns the credentials after `Bearer` (RFC 6750, 2.1).
  private static func secret(in authorization: String) -> String? {
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1].drop { $0 == " " })
  }

  /// The same request without its session, which ended while the request was waiting.
  var withoutSession: AdmittedRequest { AdmittedRequest(incoming) }

  /// The person of the session or of the API token.
  var person: ID<Person>? { session?.person ?? bearer?.visitor.person }

  /// The visitor, as the guardian of the person whose pages the address shows.
  var visitor: Visitor? {
    let visitor = session?.visitor ?? bearer?.visitor
    return inCare.map { visitor?.acting(for: $0.inCare) } ?? visitor
  }

  /// The keys of the person whose data the request is about.
  var keys: Keys? { inCare?.keys ?? session?.keys ?? bearer?.keys }

  /// The path of the page, without the part about a person in care.
  var path: String { incoming.path }

  /// True if this browser was signed in and no longer is.
  var hasLostSession: Bool {
    session == nil && client.cookie(Cookies.session) != nil
  }

  /// Logs a security event of this request.
  func log(_ event: SecurityEvent) { server.securityLog.write(event, from: logSender) }

  /// Logs a failure of this request.
  func log(_ failure: FailedRequest, to log: Logger) {
    server.securityLog.write(failure, to: log, from: logSender)
  }

  private var logSender: SecurityLog.Sender {
    SecurityLog.Sender(client: client, person: person, time: now)
  }
}

/// The checks of a visitor's rights.
extension AdmittedRequest {
  /// Returns the reason to refuse a request at a route of a module; nil if the visitor may use it,
  /// and a form's token belongs to the session and the form is about the person of the address.
  func rejection(of request: Request, at route: Route, of member: InstalledModule) -> Rejection? {
    if incoming.inCare != nil, case .role = route.access { return .notForGuardians(nil) }
    let guardianAccess = route.guardianAccess ?? member.module.guardianAccess
    let method: Request.Method = route.changes ? .post : request.method
    if let refused = rejection(of: method, by: guardianAccess, in: member) {
      return refused
    }
    if !route.isOpen(to: request.method, under: member.settings) {
      guard let session else { return .signedOut }
      guard route.access.includes(session.visitor) else { return .forbidden }
    }
    if request.method == .get { return nil }
    let fields = request.fields
    if let session, fields.contains("person"),
      let person = keys?.person, !fields["person"].isIdentical(to: person.description)
    {
      return .otherPerson(
        opened: Self.shownName(in: fields), sent: inCare?.inCare.name ?? session.visitor.name)
    }
    return accepts(fields["csrf"]) ? nil : .forged
  }

  /// Returns the reason to refuse a guardian this part of the portal for the person in care; nil for
  /// a visitor's own pages.
  func rejection(
    of method: Request.Method, by access: GuardianAccess, in member: InstalledModule
  ) -> Rejection? {
    if incoming.inCare == nil { return nil }
    guard let opened = inCare else { return .signedOut }
    let inCare = opened.inCare
    if access.allows(method, to: inCare, of: member.module.id) { return nil }
    // A page that the person does not show is none for a reader.
    guard case .guardian(let scope) = inCare.rights else { return .notForGuardians(nil) }
    if case .nothing(let reason) = access {
      return .notForGuardians(reason.spoken(by: member.module.id))
    }
    let held = scope == .book && opened.isLimitedByAge ? "age" : scope.rawValue
    return .notForGuardians(Text("error.403.guardian.\(held)", ["name": inCare.name]))
  }

  /// True if the form's token was issued to this browser.
  func accepts(_ token: String) -> Bool {
    newBrowserToken == nil && server.antiForgery.accepts(token, from: recipient)
  }

  /// Returns the person's name from the form, for display. It is empty if the name is longer than
  /// any real one, or contains format characters, which could reverse the text after it.
  private static func shownName(in fields: Fields) -> String {
    let name = fields[Context.personName]
    let isPlain = name.unicodeScalars.allSatisfy {
      ![.control, .format].contains($0.properties.generalCategory)
    }
    return isPlain && name.unicodeScalars.count <= 300 ? name : ""
  }
}

extension AdmittedRequest: Admission {
  package func patients(in work: Work) throws -> [Portal.PatientChoice] {
    guard let session, !peopleInCare.isEmpty else { return [] }
    let profiles = try Profile.all(of: [session.keys] + peopleInCare.map(\.keys), on: work)
    let hues = hues
    func choice(
      of person: ID<Person>, named name: String, inCare: ID<Person>?
    ) -> Portal.PatientChoice {
      Portal.PatientChoice(
        name: name, hue: hues[person], birthDate: profiles[person]?.birthDate, inCare: inCare,
        isCurrent: inCare == self.inCare?.inCare.person)
    }
    return [choice(of: session.person, named: session.visitor.name, inCare: nil)]
      + peopleInCare.map(\.inCare).map {
        choice(of: $0.person, named: $0.name, inCare: $0.person)
      }
  }

  /// The colours of the visitor, of the people in care and of somebody who shows the visitor records,
  /// in which every page shows them.
  var hues: [ID<Person>: Int] {
    guard let session else { return [:] }
    var people = [(session.person, session.visitor.name)]
    people += peopleInCare.map { ($0.inCare.person, $0.inCare.name) }
    if let inCare = inCare?.inCare, !people.contains(where: { $0.0 == inCare.person }) {
      people.append((inCare.person, inCare.name))
    }
    return Dictionary(
      zip(people.map(\.0), HTML.hues(of: people.map(\.1))), uniquingKeysWith: { one, _ in one })
  }

  package func offers(_ path: Path, to inCare: PersonInCare) -> Bool {
    server.installation.offers(path, to: inCare)
  }

  package func confirmVisitor(on connection: Connection) throws -> Connection.StorageUse? {
    let (known, present): (Visitor, PresentVisitor)
    if let bearer {
      guard let found = try AccessToken.visitor(by: bearer.token.id, on: connection) else {
        throw APIRefusal.unknownToken
      }
      (known, present) = (bearer.visitor, found)
    } else if let session {
      guard let found = try server.sessions.visitor(in: session, on: connection) else {
        throw Refusal.signedOut
      }
      (known, present) = (session.visitor, found)
    } else {
      return nil
    }
    guard known.roles.isSubset(of: present.roles) else { throw Refusal.forbidden }
    guard let inCare else { return present.stored }
    return try inCare.confirm(of: known.person, server.vault, in: Work(at: now, on: connection))
  }

  package func charge(
    _ written: Connection.StorageUse, to used: Connection.StorageUse?, on connection: Connection
  ) throws {
    guard let person = keys?.person else { return }
    try server.storage.charge(
      written, to: person, using: used, in: Work(at: now, on: connection)
    ) { countWait }
  }

  package func readingFile<Value>(of bytes: Int, _ body: () throws -> Value) throws -> Value {
    server.database.endSharedReads()
    return try server.largeFileLimiter.run(bytes, body)
  }

  package func restoredFields() throws -> Fields? {
    guard let session, session.hasInterruptedForm else { return nil }
    let text = try snapshot.row("SELECT carried FROM sessions WHERE id_session = \(session.id)") {
      String(decoding: $0.bytes(0), as: UTF8.self)
    }
    guard
      let interrupted = try text.flatMap({
        try server.interruptedForms.open($0, for: session.person)
      }),
      interrupted.path.description.prefix(while: { $0 != "?" }) == wire.path
    else { return nil }
    return interrupted.fields
  }

  package func discardRestoredFields() throws {
    guard let session, session.hasInterruptedForm else { return }
    try server.database.write { try server.sessions.dropInterruptedForm(in: session, on: $0) }
  }

  package func isAnswered(on connection: Connection) throws -> Bool { false }

  package func earlierResponse(on connection: Connection) throws -> Response? { nil }

  package func store(_ response: Response, on connection: Connection) throws {
    if let session, session.hasInterruptedForm {
      try server.sessions.dropInterruptedForm(in: session, on: connection)
    }
    try logChange(of: response, on: connection)
  }

  /// Notes in the access log of the person of the address what the visitor has changed, in the words
  /// of the response, or else of its route.
  private func logChange(of response: Response, on connection: Connection) throws {
    let effects = response.effects
    guard let inCare, let module = change?.module,
      let what = effects?.change ?? effects?.outcome ?? change,
      let member = server.installation.members.first(where: {
        $0.module.id == what.module ?? module
      })
    else { return }
    // Without a module, the words of the change itself are a whole sentence.
    let isWhole = effects?.change != nil && what.module == nil
    let text =
      isWhole
      ? what
      : Text("log.change", values: ["module": .text(member.module.title), "what": .text(what)])
    try AccessLog.record(
      text.spoken(by: member.module.id), for: .guardianship,
      in: Work(visitor: visitor, at: now, on: connection).with(inCare.keys))
  }
}
