import Logging
import PolyclinicCore

/// Answers programs, for one thread: the modules' resources in JSON, by the forms, rules, transactions
/// and keys of their pages.
final class API {
  private let front: Front
  private let log: Logger
  private let keys: RecentKeys
  private let rate: TokenRate

  init(_ front: Front, log: Logger, keys: RecentKeys) {
    self.front = front
    self.log = log
    self.keys = keys
    rate = TokenRate(front.vault)
  }

  /// Whether the path is one of programs, also where nothing stands there.
  static func owns(_ path: String) -> Bool { path.hasPrefix("/api/") || path == "/api" }

  /// Answers, and tells in `route` the number of the path's pattern.
  ///
  /// Throws ``Gate/Rejection`` and ``APIRefusal`` for what is not answered, and whatever else happens.
  func respond(
    to visit: Visit, _ method: Request.Method?, at route: inout Int?
  ) throws -> Response {
    let directory = front.installation.api
    switch directory.match(visit.path) {
    case .nothing: throw Refusal.notFound
    case .description:
      route = directory.documentNumber
      guard method == .get else { throw APIRefusal.method([.get]) }
      return Response(200, .bytes(directory.document, type: "application/json"))
    case .collection(let entry):
      route = entry.number
      return try answer(visit, method, of: [.get, .post], entry, id: nil)
    case .record(let entry, let id):
      route = entry.number + 1
      return try answer(visit, method, of: [.get, .put, .delete], entry, id: id)
    case .readOnly(let entry, let parameters):
      route = entry.number
      guard method == .get else { throw APIRefusal.method([.get]) }
      return try answer(visit, entry, parameters)
    }
  }

  private func answer(
    _ visit: Visit, _ method: Request.Method?, of methods: [Request.Method],
    _ entry: APIDirectory.Entry, id: String?
  ) throws -> Response {
    guard let method, methods.contains(method) else { throw APIRefusal.method(methods) }
    let caller = try APICaller.find(visit, by: keys)
    try admit(caller, visit, method, entry.resource.access, entry.member)
    let request = ResourceRequest(visit: visit, caller: caller, entry: entry)
    do {
      switch (method, id) {
      case (.get, nil): return try request.list()
      case (.get, let id?): return try request.show(id)
      case (.put, let id?): return try request.replace(id)
      case (.delete, let id?): return try request.delete(id)
      default: return try request.create()
      }
    } catch {
      // In the words of the module, and with the places of its fields.
      let problem = ProblemDetails(
        error, words: entry.member.phrasebook, source: entry.resource.source)
      guard let problem else { throw error }
      return problem.response(visit)
    }
  }

  private func answer(
    _ visit: Visit, _ entry: APIDirectory.ReadOnlyEntry, _ parameters: [String: String]
  ) throws -> Response {
    let access = entry.resource.access
    let caller: APICaller?
    do {
      caller = try APICaller.find(visit, by: keys)
    } catch Gate.Rejection.signedOut where access.isOpen(under: entry.member.settings) {
      caller = nil
    }
    if let caller { try admit(caller, visit, .get, access, entry.member) }
    return try ReadOnlyRequest(
      visit: visit, caller: caller, entry: entry, parameters: parameters
    ).answer()
  }

  /// Throws where the caller may not do this, or has done too much.
  private func admit(
    _ caller: APICaller, _ visit: Visit, _ method: Request.Method, _ access: Access,
    _ member: Installation.Member
  ) throws {
    guard access.includes(caller.visitor) else { throw Gate.Rejection.forbidden }
    guard let token = caller.token else {
      if method == .get { return }
      try Gate(visit: visit).checkOrigin()
      guard visit.accepts(visit.wire.antiForgery ?? "") else {
        visit.refusal = .forged
        throw APIRefusal.forged
      }
      return
    }
    try caller.check(method == .get ? .read : .write, for: member.module.id)
    do {
      if let wait = try rate.wait(for: token.id, at: visit.now, on: front.database) {
        throw Refusal.tooMany(retryAfter: wait)
      }
      try touch(token, at: visit.now)
    } catch let error as DatabaseError where method == .get {
      // Where the database cannot be written, records are still read.
      log.warning("a token's request was not counted", metadata: ["code": "\(error.code)"])
    }
  }

  /// Notes that the token is in use, unless somebody else writes: the next request notes it.
  private func touch(_ token: AccessToken, at now: Instant) throws {
    if let used = token.usedAt, now - used < AccessToken.touchInterval { return }
    try front.database.writeIfFree { try AccessToken.touch(token.id, at: now, on: $0) }
  }
}
