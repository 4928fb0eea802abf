import Logging
import PolyclinicCore

/// Answers requests, one after another, for one thread: the five rooms in their order, and the only
/// place that catches.
final class Answer {
  private let front: Front
  private let log: Logger

  init(_ front: Front, log: Logger) {
    self.front = front
    self.log = log
  }

  /// The whole answer to a request, whatever happens on the way.
  func respond(to wire: WireRequest) -> WireResponse {
    let visit = Visit(wire, front)
    let method = Request.Method(rawValue: wire.method == "HEAD" ? "GET" : wire.method)
    var member: Installation.Member?
    var response: Response
    do {
      try Gate(visit: visit).checkTarget()
      let path = wire.target.prefix { $0 != "?" }
      switch front.installation.router.match(method, path) {
      case .nothing:
        try visit.identify()
        response = missing(path, method, visit)
      case .otherMethods(let methods):
        try visit.identify()
        let allowed = methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])
        response = ErrorPage.response(405, visit)
          .adding(.init("Allow", allowed.joined(separator: ", ")))
      case .found(let place, let parameters):
        member = front.installation.enabled[place.module]
        response = try answer(place, parameters, method ?? .get, visit)
      }
    } catch {
      response = refused(error, visit, member)
    }
    return Layout(visit: visit, member: member).framed(response)
  }

  private func answer(
    _ place: Router.Place, _ parameters: [String: String], _ method: Request.Method, _ visit: Visit
  ) throws -> Response {
    let gate = Gate(visit: visit)
    try visit.identify()
    if method != .get { try gate.checkOrigin() }
    let fields = method == .get ? Fields() : try gate.fields()
    let context = visit.context(
      for: front.installation.enabled[place.module],
      Request(
        method, Path(checked: visit.wire.path), query: try gate.query(), fields: fields,
        parameters: parameters, id: visit.wire.id))
    do {
      try gate.checkAccess(place.route.access)
      if method != .get { try gate.checkForm(fields) }
    } catch Gate.Rejection.signedOut {
      return try SignInPage.interrupting(place.route, context, visit)
    } catch Gate.Rejection.forged {
      guard case .form(let form) = place.route.answer else {
        // A button of a page that was open for too long: its token went with the session.
        if visit.hasLostSession { return try SignInPage.interrupting(place.route, context, visit) }
        throw Gate.Rejection.forged
      }
      return try form.showAgain(context, because: "form.forged", status: 403)
    }
    try touch(visit)
    let response = try place.route.run(context)
    return response.resolved(in: context.module)
  }

  /// A path with a slash too many leads to the one without it.
  private func missing(
    _ path: Substring, _ method: Request.Method?, _ visit: Visit
  ) -> Response {
    if method == .get, path.utf8.count > 1, path.last == "/", !path.hasPrefix("//"),
      case .found = front.installation.router.match(.get, path.dropLast()),
      let shorter = Path(local: "\(path.dropLast())\(visit.wire.target.dropFirst(path.count))")
    {
      return Response(308, headers: [.init("Location", shorter.description)])
    }
    return ErrorPage.response(404, visit)
  }

  /// Notes that the session is in use. Where the database cannot be written, pages are still read.
  private func touch(_ visit: Visit) throws {
    guard let session = visit.session,
      visit.now - session.seenAt >= Sessions.touchInterval
    else { return }
    do {
      try front.database.write { try front.sessions.touch(session, at: visit.now, on: $0) }
    } catch let error as DatabaseError {
      log.warning("a session's time was not noted", metadata: ["code": "\(error.code)"])
    }
  }

  private func refused(
    _ error: any Error, _ visit: Visit, _ member: Installation.Member?
  ) -> Response {
    switch error {
    case let rejection as Gate.Rejection: return ErrorPage.response(to: rejection, visit)
    case let refusal as Refusal: return ErrorPage.response(to: refusal, visit, member?.phrasebook)
    case is HashingBusy:
      return ErrorPage.response(to: .tooMany(retryAfter: HashingBusy.retryAfter), visit)
    case let fault as DatabaseError where fault.passesByItself:
      log.error("the database", metadata: fault.metadata(visit))
      return ErrorPage.response(503, visit).adding(.init("Retry-After", "5"))
    case let fault as DatabaseError:
      log.error("the database", metadata: fault.metadata(visit))
    default:
      // The type alone: an error's text may quote what somebody typed.
      log.error(
        "a handler failed", metadata: ["request": "\(visit.wire.id)", "type": "\(type(of: error))"])
    }
    return ErrorPage.response(500, visit)
  }
}

extension DatabaseError {
  /// Whether the same request may succeed once the machine is well again.
  fileprivate var passesByItself: Bool {
    switch kind {
    case .busy, .full, .readOnly, .missing, .corrupt: true
    case .unique, .foreignKey, .constraint, .other: false
    }
  }

  fileprivate func metadata(_ visit: Visit) -> Logger.Metadata {
    [
      "request": "\(visit.wire.id)", "kind": "\(kind)", "code": "\(code)", "detail": "\(detail)",
    ]
  }
}

extension Route {
  fileprivate func run(_ context: Context) throws -> Response {
    switch answer {
    case .get(let handler), .post(let handler): try handler(context)
    case .form(let form):
      context.request.method == .get ? try form.show(context) : try form.submit(context)
    }
  }
}

extension Response {
  /// A redirect within a module, with its whole path.
  fileprivate func resolved(in module: ModuleID) -> Response {
    guard let index = headers.firstIndex(where: { $0.name.description == "Location" }),
      !headers[index].value.hasPrefix("/"), !headers[index].value.contains(":")
    else { return self }
    var answer = self
    let tail = headers[index].value
    answer.headers[index] = .init("Location", tail.isEmpty ? "/\(module)" : "/\(module)/\(tail)")
    return answer
  }
}

extension Visit {
  /// What the handler of a module gets.
  func context(for member: Installation.Member, _ request: Request) -> Context {
    Context(
      portal: front.portal(for: member), module: member.module.id, request: request,
      language: language, formats: front.formats(language), visitor: session?.visitor,
      keys: session?.keys, submissions: self)
  }
}
