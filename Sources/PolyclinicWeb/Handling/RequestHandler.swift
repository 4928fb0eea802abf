import Logging
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem

/// Answers requests, one after another, for one thread. It calls the rooms in their order: checks,
/// routing, admission, handler, frame. It answers every error that they throw.
package final class RequestHandler: Responder {
  let server: ServerContext
  let log: Logger
  let frames: Frames
  let keys: KeyCache
  private let api: API

  package init(_ server: ServerContext, log: Logger) {
    self.server = server
    self.log = log
    frames = Frames()
    keys = KeyCache(server.vault)
    api = API(server, log: log)
  }

  /// Returns the response to a request, also when a handler throws.
  ///
  /// The request runs in one read snapshot, so that the page, the session and the frame show the
  /// same state of the data. A change ends it: what follows reads a later one.
  package func respond(to wire: WireRequest) -> WireResponse {
    server.database.sharingReads { respond(to: incoming(wire, $0)) }
  }

  func incoming(_ wire: WireRequest, _ snapshot: Connection) -> IncomingRequest {
    IncomingRequest(
      wire: wire, server: server, keys: keys, snapshot: Work(at: server.clock(), on: snapshot))
  }

  private func respond(to incoming: IncomingRequest) -> WireResponse {
    let start = Uptime.nanoseconds
    let name = CurrentRequest.name
    name.id = incoming.wire.id
    defer { name.id = "" }
    var progress = RequestProgress(incoming)
    let outcome: Result<Response, any Error>
    do { outcome = .success(try handle(&progress)) } catch { outcome = .failure(error) }
    // A request that was refused before its visitor was looked up gets the page of a stranger.
    let admission = progress.admission ?? AdmittedRequest(incoming)
    let response: Response
    var refusal = SecurityEvent.Refusal.rights
    switch outcome {
    case .success(let answer): response = answer
    case .failure(let error):
      response = refused(error, admission, progress)
      refusal = SecurityEvent.Refusal(error)
    }
    admission.logEvents(of: response, at: progress.route, refusal)
    let framed = Layout(admission: admission, member: progress.member, frames: frames)
      .framed(response)
    server.metrics.count(
      status: response.status, since: start,
      in: server.metrics.row(of: progress.route, progress.method))
    return framed
  }

  private func handle(_ progress: inout RequestProgress) throws -> Response {
    try progress.checks.checkTarget()
    return API.owns(progress.path) ? try api.respond(to: &progress) : try page(&progress)
  }

  /// Returns the page of a path.
  private func page(_ progress: inout RequestProgress) throws -> Response {
    let match = server.installation.router.match(progress.method, progress.path)
    if case .found(let place, let parameters) = match {
      progress.member = server.installation.enabled[place.module]
      progress.route = place.number
      progress.parameters = parameters
      if case .form(let form) = place.route.answer { progress.form = form }
    }
    let admission = try AdmittedRequest.identified(progress.incoming)
    progress.admission = admission
    try admission.requireInCare()
    switch match {
    case .nothing: return missing(progress.method, admission)
    case .otherMethods(let methods):
      let allowed = methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])
      return ErrorPage(admission).response(405)
        .adding(.init("Allow", allowed.joined(separator: ", ")))
    case .found(let place, _): return try respond(at: place.route, admission, &progress)
    }
  }

  /// Returns the response of a route.
  private func respond(
    at route: Route, _ admission: AdmittedRequest, _ progress: inout RequestProgress
  ) throws -> Response {
    let (method, checks) = (progress.method ?? .get, progress.checks)
    if method != .get { try checks.checkOrigin() }
    let sent = method == .get ? (fields: Fields(), files: [:]) : try checks.form(for: route)
    if method != .get { progress.sent = sent.fields }
    var request = Request(method, Path(checked: admission.wire.path), id: admission.wire.id)
    request.query = try checks.query()
    (request.fields, request.files) = sent
    request.parameters = progress.parameters
    request.client = admission.client
    guard let member = progress.member else { throw Refusal.notFound }
    switch admission.rejection(of: request, at: route, of: member) {
    case nil: break
    case .signedOut: return try askToSignIn(at: route, request, &progress)
    // A page that was open for too long: its token expired with the session.
    case .forged where admission.hasLostSession:
      return try askToSignIn(at: route, request, &progress)
    case .forged: return try shownAgain(route, admission.context(for: member, request))
    case let rejection?: throw rejection
    }
    if !route.isUnattended { try touch(admission) }
    // A form's title says what one does, not what one reads.
    try admission.logView(in: member, titled: route.changes ? nil : route.linkTitle)
    admission.change = route.change?.spoken(by: member.module.id)
    progress.back = route.wayBack?.filled(with: progress.parameters).resolved(in: member.module.id)
    let key = server.idempotency.key(of: sent.fields, at: request.path, from: admission.sender)
    let context = admission.context(for: member, request, repeatable: key)
    do { return try run(route, context, admission) } catch Refusal.signedOut
      where admission.session != nil || route.isReadableByEveryone
    {
      progress.admission = admission.withoutSession
      return try askToSignIn(at: route, request, &progress)
    }
  }

  /// Returns a form with a wrong token as it was typed, with a new token.
  private func shownAgain(_ route: Route, _ context: Context) throws -> Response {
    guard case .form(let form) = route.answer else { throw Rejection.forged }
    do { return try form.showAgain(context, because: "form.forged", status: 403) } catch is Refusal
    {
      // The form's subject no longer exists or never did, so the form cannot be shown again.
      throw Rejection.forged
    }
  }

  /// Returns the sign-in page, with its own strings, in place of the requested page.
  private func askToSignIn(
    at route: Route, _ request: Request, _ progress: inout RequestProgress
  ) throws -> Response {
    let enabled = server.installation.enabled
    guard let accounts = enabled.first(where: { $0.module.id == server.signIn.module }),
      let admission = progress.admission
    else { throw Rejection.signedOut }
    progress.member = accounts
    return try server.signIn.page(route, admission.context(for: accounts, request))
  }

  /// Runs a route. After a retryable failure a form is shown again with its input, so that the user
  /// can resubmit it.
  private func run(
    _ route: Route, _ context: Context, _ admission: AdmittedRequest
  ) throws -> Response {
    do { return try route.run(context) } catch {
      guard case .form(let form) = route.answer, context.request.method == .post,
        let delay = RetryableFailure(error)
      else { throw error }
      CurrentRequest.name.thrown?(error)
      server.metrics.count(error)
      admission.log(
        FailedRequest("a form was not saved", delay.metadata, level: delay.level), to: log)
      return try form.showAgain(context, because: delay.text, status: delay.status)
        .adding(.init("Retry-After", String(delay.span.count)))
    }
  }

  /// Returns a redirect to the path without its trailing slash if that path exists, otherwise a 404
  /// page.
  private func missing(_ method: Request.Method?, _ admission: AdmittedRequest) -> Response {
    let path = admission.wire.path
    if method == .get, path.utf8.count > 1, path.last == "/", !path.hasPrefix("//"),
      case .found = server.installation.router.match(.get, String(admission.path.dropLast())),
      let shorter = Path(local: "\(path.dropLast())\(admission.wire.target.dropFirst(path.count))")
    {
      return Response(308, headers: [.init("Location", shorter.description)])
    }
    return ErrorPage(admission).response(404)
  }

  /// Records the session's last use.
  ///
  /// - It skips this while another transaction is writing, so that reading a page never waits. The
  ///   next request records it.
  /// - If the database cannot be written, it logs a warning, and pages remain readable.
  private func touch(_ admission: AdmittedRequest) throws {
    guard let session = admission.session,
      admission.now - session.seenAt >= Sessions.touchInterval || session.seenAt > admission.now
    else { return }
    do {
      try server.database.writeIfFree {
        try server.sessions.touch(session, at: admission.now, on: $0)
      }
    } catch let error as DatabaseError {
      admission.log(
        FailedRequest("a session's time was not noted", error.metadata, level: .warning), to: log)
    }
  }
}

extension AdmittedRequest {
  /// Logs the events of a response that is no error, and the request's refusal.
  fileprivate func logEvents(
    of response: Response, at route: Int?, _ refusal: SecurityEvent.Refusal
  ) {
    if response.status < 400, let effects = response.effects {
      for event in effects.events { log(event) }
    }
    var event: SecurityEvent
    switch response.status {
    case 401 where wire.api.authorization != nil: event = SecurityEvent(.tokenRefused)
    case 403:
      event = SecurityEvent(
        .refused, of: [person].compactMap(\.self), ["reason": refusal.rawValue])
    case 429:
      // The sign-in logs the attempts of strangers itself.
      guard let person else { return }
      event = SecurityEvent(
        .refused, of: person, ["reason": SecurityEvent.Refusal.limit.rawValue])
    default: return
    }
    event.details["route"] = route.map { server.patterns[$0].text }
    log(event)
  }
}

extension SecurityEvent.Refusal {
  /// The reason that the log gives for an error.
  fileprivate init(_ error: any Error) {
    switch error {
    case Rejection.crossSite: self = .crossSite
    case Rejection.forged, APIRefusal.forged: self = .forged
    default: self = .rights
    }
  }
}
