import Logging
import PolyclinicCore
import PolyclinicServing

/// The JSON API, for one thread. It serves the modules' resources with the forms, rules,
/// transactions and keys of their pages.
final class API {
  private let server: ServerContext
  private let log: Logger
  private let rate: TokenRate

  init(_ server: ServerContext, log: Logger) {
    self.server = server
    self.log = log
    rate = TokenRate(server.vault)
  }

  /// True if the path belongs to the API, even if it leads to no resource.
  static func owns(_ path: String) -> Bool { path.hasPrefix("/api/") || path == "/api" }

  /// Answers a request.
  ///
  /// Throws ``Rejection`` or ``APIRefusal`` if the request is refused, and any other error of the
  /// module or the database.
  func respond(to progress: inout RequestProgress) throws -> Response {
    let directory = server.installation.api
    let method = progress.method
    switch directory.match(progress.path) {
    case .nothing: throw Refusal.notFound
    case .description:
      progress.route = directory.documentNumber
      guard method == .get else { throw APIRefusal.method([.get]) }
      return Response(200, .bytes(directory.document, type: "application/json"))
    case .collection(let entry):
      progress.route = entry.number
      return try answer(entry, id: nil, &progress)
    case .record(let entry, let id):
      progress.route = entry.number + 1
      return try answer(entry, id: id, &progress)
    case .readOnly(let entry, let parameters):
      progress.route = entry.number
      guard method == .get else { throw APIRefusal.method([.get]) }
      progress.parameters = parameters
      return try answer(entry, &progress)
    }
  }

  private func answer(
    _ entry: APIDirectory.Entry, id: String?, _ progress: inout RequestProgress
  ) throws -> Response {
    let methods: [Request.Method] = id == nil ? [.get, .post] : [.get, .put, .delete]
    guard let method = progress.method, methods.contains(method) else {
      throw APIRefusal.method(methods)
    }
    let admission = try AdmittedRequest.program(progress.incoming)
    progress.admission = admission
    try admission.requireInCare()
    guard let caller = APICaller(admission) else { throw Rejection.signedOut }
    try caller.require(entry.resource.access)
    try admit(caller, to: entry.member, progress)
    let request = ResourceRequest(caller: caller, checks: progress.checks, entry: entry)
    do {
      switch (method, id) {
      case (.get, nil): return try request.list()
      case (.get, let id?): return try request.show(id)
      case (.put, let id?): return try request.replace(id)
      case (.delete, let id?): return try request.delete(id)
      default: return try request.create()
      }
    } catch {
      // Uses the module's strings, and points to the fields in the JSON body.
      let problem = ProblemDetails(
        error, words: entry.member.phrasebook, source: entry.resource.source)
      guard let problem else { throw error }
      return problem.response(admission)
    }
  }

  private func answer(
    _ entry: APIDirectory.ReadOnlyEntry, _ progress: inout RequestProgress
  ) throws -> Response {
    let access = entry.resource.access
    let admission = try AdmittedRequest.program(progress.incoming)
    progress.admission = admission
    try admission.requireInCare()
    if let caller = APICaller(admission) {
      try caller.require(access)
      try admit(caller, to: entry.member, progress)
    } else if !access.isOpen(under: entry.member.settings) {
      throw Rejection.signedOut
    }
    return try ReadOnlyRequest(
      admission: admission, checks: progress.checks, entry: entry,
      parameters: progress.parameters
    ).answer()
  }

  /// Throws if the caller's token is not for the module, if the caller sent a forged request, or
  /// exceeded the rate limit.
  private func admit(
    _ caller: APICaller, to member: InstalledModule, _ progress: RequestProgress
  ) throws {
    let (admission, method) = (caller.admission, progress.method)
    let access = member.module.guardianAccess
    if let refused = admission.rejection(of: method ?? .get, by: access, in: member) {
      throw refused
    }
    try admission.logView(in: member)
    admission.change = Text("log.changed").spoken(by: member.module.id)
    guard let token = caller.token else {
      if method == .get { return }
      try progress.checks.checkOrigin()
      guard admission.accepts(admission.wire.api.antiForgery ?? "") else {
        throw APIRefusal.forged
      }
      return
    }
    try caller.check(method == .get ? .read : .write, for: member.module.id)
    do {
      if let wait = try rate.wait(for: token.id, at: admission.now, on: server.database) {
        throw Refusal.tooMany(retryAfter: wait)
      }
      try touch(token, at: admission.now)
    } catch let error as DatabaseError where method == .get {
      // Reading stays possible while the database cannot be written.
      admission.log(
        FailedRequest("a token's request was not counted", error.metadata, level: .warning),
        to: log)
    }
  }

  /// Records the token's last use. Skips it if another transaction is writing, because the next
  /// request records it.
  private func touch(_ token: AccessToken, at now: Instant) throws {
    if let used = token.usedAt, now - used < AccessToken.touchInterval { return }
    try server.database.writeIfFree { try AccessToken.touch(token.id, at: now, on: $0) }
  }
}

/// The caller of the API: a program with a token, or a page of the portal in a browser's session.
struct APICaller {
  let admission: AdmittedRequest
  let visitor: Visitor
  let keys: Keys
  /// Nil for a session.
  let token: AccessToken?

  /// Nil for a request with neither a session nor a token.
  init?(_ admission: AdmittedRequest) {
    guard let visitor = admission.visitor, let keys = admission.keys else { return nil }
    self.admission = admission
    (self.visitor, self.keys, token) = (visitor, keys, admission.bearer?.token)
  }

  /// Throws ``Rejection/forbidden`` if the caller's roles do not include the access.
  func require(_ access: Access) throws {
    guard access.includes(visitor) else { throw Rejection.forbidden }
  }

  /// Throws ``APIRefusal/scope(_:_:)`` if the token's scope for the module is too small.
  func check(_ scope: AccessToken.Scope, for module: ModuleID) throws {
    guard let token else { return }
    let given = token.details.scopes[module.rawValue]
    guard given == .write || given == scope else { throw APIRefusal.scope(scope, module) }
  }
}
