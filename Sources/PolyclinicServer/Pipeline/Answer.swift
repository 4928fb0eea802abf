import Logging
import PolyclinicCore

/// Answers requests, one after another, for one thread: the five rooms in their order, and the only
/// place that catches.
final class Answer {
  private let front: Front
  private let log: Logger
  private let frames: Frames
  private let keys: RecentKeys
  private let api: API

  init(_ front: Front, log: Logger) {
    self.front = front
    self.log = log
    frames = Frames(front)
    keys = RecentKeys(front.vault)
    api = API(front, log: log, keys: keys)
  }

  /// The whole answer to a request, whatever happens on the way. A page, the session and the frame
  /// around it are of one state of the data.
  func respond(to wire: WireRequest) -> WireResponse {
    guard wire.method == "GET" else { return wholeAnswer(to: wire) }
    return front.database.sharingReads { wholeAnswer(to: wire) }
  }

  private func wholeAnswer(to wire: WireRequest) -> WireResponse {
    let start = Uptime.nanoseconds
    let name = CurrentRequest.name
    name.id = wire.id
    let visit = Visit(wire, front, keys)
    let method = Request.Method(rawValue: wire.method == "HEAD" ? "GET" : wire.method)
    var member: Installation.Member?
    var route: Int?
    var response: Response
    do {
      try Gate(visit: visit).checkTarget()
      response =
        API.owns(visit.path)
        ? try api.respond(to: visit, method, at: &route)
        : try page(visit, method, of: &member, at: &route)
    } catch {
      response = refused(error, visit, member)
    }
    visit.logEvents(
      status: response.status, route: route.map { front.patterns[$0].text })
    defer {
      front.tally.count(route, method, status: response.status, since: start)
      name.id = ""
    }
    return Layout(visit: visit, member: member, frames: frames).framed(response)
  }

  /// The page in place of an answer that could not be written to its end. The failure is counted, and
  /// logged as others are; the answer was counted as what it began as.
  func failure(_ error: any Error, of wire: WireRequest) -> WireResponse {
    let name = CurrentRequest.name
    name.id = wire.id
    defer { name.id = "" }
    let visit = Visit(wire, front, keys)
    let response = failed(error) { ErrorPage.response($0, visit) }
    front.tally.count(nil, nil, status: response.status, since: Uptime.nanoseconds)
    return Layout(visit: visit, member: nil, frames: frames).framed(response)
  }

  /// Logs that an answer did not get to the web server whole.
  func note(_ reason: Undelivered, of wire: WireRequest) {
    log.info(
      "an answer was broken off",
      metadata: ["reason": "\(reason.rawValue)", "request": "\(wire.id)"])
  }

  /// As ``Database/giveMemoryBack()``, and of nobody anything is known any more.
  func giveMemoryBack() {
    keys.forget()
    front.database.giveMemoryBack()
  }

  /// The most that a request's body may weigh, in bytes: only forms with files weigh more than others.
  func bodyLimit(of wire: WireRequest) -> Int {
    let files = wire.mediaType == "multipart/form-data" ? front.installation.largestFiles : 0
    return Gate.bodyLimit + files
  }

  /// The answer to a request that comes when there is no time for it, or that has ended workers before:
  /// nothing of it is looked at.
  func turnAway(_ wire: WireRequest, _ status: Int) -> WireResponse {
    let visit = Visit(wire, front, keys)
    let page =
      API.owns(visit.path)
      ? ProblemDetails(status: status).response(visit) : ErrorPage.response(status, visit)
    let response = status == 500 ? page : page.adding(.init("Retry-After", "5"))
    front.tally.count(nil, nil, status: status, since: Uptime.nanoseconds)
    switch status {
    case 429: front.tally.count(.crowdTurnedAway)
    case 503: front.tally.count(.lateTurnedAway)
    default:
      front.tally.count(.fatalTurnedAway)
      log.error("ended two workers, not tried again", metadata: ["request": "\(wire.id)"])
    }
    return Layout(visit: visit, member: nil, frames: frames).framed(response)
  }

  /// The answer to a browser; `member` becomes the module whose page it is, `route` its number.
  private func page(
    _ visit: Visit, _ method: Request.Method?, of member: inout Installation.Member?,
    at route: inout Int?
  ) throws -> Response {
    let path = visit.path
    switch front.installation.router.match(method, path) {
    case .nothing:
      try visit.identify()
      return missing(path, method, visit)
    case .otherMethods(let methods):
      try visit.identify()
      let allowed = methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])
      return ErrorPage.response(405, visit)
        .adding(.init("Allow", allowed.joined(separator: ", ")))
    case .found(let place, let parameters):
      member = front.installation.enabled[place.module]
      route = place.number
      return try answer(place, parameters, method ?? .get, visit, by: &member)
    }
  }

  /// The answer of a route, and in `member` the module whose page it is: to sign in is another's.
  private func answer(
    _ place: Router.Place, _ parameters: [String: String], _ method: Request.Method, _ visit: Visit,
    by member: inout Installation.Member?
  ) throws -> Response {
    let gate = Gate(visit: visit)
    try visit.identify()
    if method != .get { try gate.checkOrigin() }
    let sent = method == .get ? (fields: Fields(), files: [:]) : try gate.form(for: place.route)
    let context = visit.context(
      for: front.installation.enabled[place.module],
      Request(
        method, Path(checked: visit.path), query: try gate.query(), fields: sent.fields,
        files: sent.files, parameters: parameters, id: visit.wire.id))
    do {
      try gate.checkAccess(
        place.route.access, front.installation.enabled[place.module].settings)
      if method != .get { try gate.checkForm(sent.fields) }
    } catch Gate.Rejection.signedOut {
      return try interrupt(place, context, visit, &member)
    } catch Gate.Rejection.forged {
      guard case .form(let form) = place.route.answer else {
        // A button of a page that was open for too long: its token went with the session.
        if visit.hasLostSession { return try interrupt(place, context, visit, &member) }
        throw Gate.Rejection.forged
      }
      do {
        return try form.showAgain(context, because: "form.forged", status: 403)
      } catch is Refusal {
        // What it asks about is gone, or never was: it is refused all the same.
        throw Gate.Rejection.forged
      }
    }
    if !place.route.isUnattended { try touch(visit) }
    visit.wayBack = place.route.wayBack?.filled(with: parameters).resolved(in: context.module)
    do { return try run(place.route, context) } catch Refusal.signedOut where visit.session != nil {
      visit.loseSession()
      return try interrupt(place, context, visit, &member)
    }
  }

  /// The sign-in page, in its own words, in place of the one that was asked for.
  private func interrupt(
    _ place: Router.Place, _ context: Context, _ visit: Visit,
    _ member: inout Installation.Member?
  ) throws -> Response {
    let enabled = front.installation.enabled
    guard let accounts = enabled.first(where: { $0.module is AccountsModule }) else {
      throw Gate.Rejection.signedOut
    }
    member = accounts
    return try SignInPage.interrupting(
      place.route, visit.context(for: accounts, context.request), visit)
  }

  /// What passes by itself does not cost a form: it comes back as it was typed, to be sent again.
  private func run(_ route: Route, _ context: Context) throws -> Response {
    do { return try route.run(context) } catch {
      guard case .form(let form) = route.answer, context.request.method == .post,
        let delay = Delay(error)
      else { throw error }
      front.tally.count(error)
      log.error("a form was not saved", metadata: delay.metadata)
      return try form.showAgain(context, because: delay.text, status: delay.status)
        .adding(.init("Retry-After", String(delay.span.count)))
    }
  }

  /// A path with a slash too many leads to the one without it.
  private func missing(
    _ path: String, _ method: Request.Method?, _ visit: Visit
  ) -> Response {
    if method == .get, path.utf8.count > 1, path.last == "/", !path.hasPrefix("//"),
      case .found = front.installation.router.match(.get, String(path.dropLast())),
      let shorter = Path(local: "\(path.dropLast())\(visit.wire.target.dropFirst(path.count))")
    {
      return Response(308, headers: [.init("Location", shorter.description)])
    }
    return ErrorPage.response(404, visit)
  }

  /// Notes that the session is in use, unless somebody else writes: a page that is only read waits
  /// for nobody, and the next one notes it. Where the database cannot be written, pages are still read.
  private func touch(_ visit: Visit) throws {
    guard let session = visit.session,
      visit.now - session.seenAt >= Sessions.touchInterval
    else { return }
    do {
      try front.database.writeIfFree { try front.sessions.touch(session, at: visit.now, on: $0) }
    } catch let error as DatabaseError {
      log.warning("a session's time was not noted", metadata: ["code": "\(error.code)"])
    }
  }

  private func refused(
    _ error: any Error, _ visit: Visit, _ member: Installation.Member?
  ) -> Response {
    if API.owns(visit.path) {
      return ProblemDetails(error, words: member?.phrasebook)?.response(visit)
        ?? failed(error) { ProblemDetails(status: $0).response(visit) }
    }
    switch error {
    case let rejection as Gate.Rejection: return ErrorPage.response(to: rejection, visit)
    case let refusal as Refusal: return ErrorPage.response(to: refusal, visit, member?.phrasebook)
    default: return failed(error) { ErrorPage.response($0, visit) }
    }
  }

  private func failed(_ error: any Error, answering page: (Int) -> Response) -> Response {
    let delay = Delay(error)
    front.tally.count(error)
    // Of an error only its type: its text may quote what somebody typed.
    let known =
      (error as? DatabaseError)?.metadata ?? delay?.metadata ?? (error as? AlteredRow)?.metadata
      ?? ["type": "\(type(of: error))"]
    log.error("a request failed", metadata: known)
    guard let delay else { return page(500) }
    return page(delay.status)
      .adding(.init("Retry-After", String(delay.span.count)))
  }
}

extension AlteredRow {
  fileprivate var metadata: Logger.Metadata {
    ["type": "AlteredRow", "person": "\(person)", "table": "\(table)"]
  }
}

extension Route {
  fileprivate func run(_ context: Context) throws -> Response {
    switch answer {
    case .get(let handler): return try handler(context).resolved(in: context.module)
    case .post(let handler):
      if let earlier = try context.earlierAnswer() { return .redirect(to: earlier) }
      let answer = try handler(context).resolved(in: context.module)
      try context.remember(answer)
      return answer
    case .change(let save):
      return try context.earlierAnswer().map { .redirect(to: $0) } ?? context.answerOnce(save)
    case .form(let form):
      let answer =
        context.request.method == .get ? try form.show(context) : try form.submit(context)
      return answer.resolved(in: context.module)
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
    let path = Path(checked: headers[index].value).resolved(in: module)
    answer.headers[index] = .init("Location", path.description)
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
