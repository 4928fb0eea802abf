import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The visitors of a filled portal, and the violations found in the answers to them.
final class AccessMatrix {
  let filled: FilledPortal
  let visitors: [Asker]
  private(set) var broken: [String] = []
  private(set) var pagesWithSecret: Set<String> = []
  /// The cells that were asked, each for all values of the path's parameter.
  private(set) var cells: Set<Cell> = []
  private var seen: Set<String> = []
  /// The hidden fields of a form, by the kind of visitor.
  private var tokens: [Asker.Kind: [(String, String)]] = [:]
  /// The statuses of the patient's own pages and API resources, by path.
  private var ownStatuses: [String: Int] = [:]
  /// The part before the paths of the patient's pages, as guardians open them.
  private let prefix: String
  /// The query that names the patient at the reception, which has searched for her.
  private let chosen: String
  /// The paths that lead to guardianships and one-time links, by the paths of the routes.
  private let made: [String: [String]]
  /// A program of each visitor who could make a token.
  private let programs: [Asker.Kind: TestProgram]

  /// A request of a kind of visitor, at the route's own path or below the patient's address.
  struct Cell: Hashable {
    let path: String
    let method: Request.Method
    let kind: Asker.Kind
    let isInCare: Bool
  }

  /// A visitor, with the kind and the roles that determine the expected answers.
  struct Asker {
    let kind: Kind
    let visitor: TestVisitor
    let roles: Set<Role>

    enum Kind: String, CaseIterable {
      /// A visitor without an account.
      case stranger
      /// The patient who owns the data.
      case owner
      case otherPatient, doctor, receptionist, administrator
      /// The patient's own doctor, who sees the purpose of appointments, and receptionist, who does
      /// not.
      case ownDoctor, ownReceptionist
      /// A visitor whose account was suspended after the sign-in.
      case suspended
      /// A visitor with the cookie of an ended session.
      case ended
      /// The patient's guardians, by their rights.
      case bookingGuardian, readingGuardian, actingGuardian
      /// A guardian from whom the patient has taken the access back.
      case formerGuardian
      /// A guardian whom the clinic has blocked.
      case blockedGuardian
      /// A child with an account, for whom the patient acts.
      case child
      /// A doctor to whom the patient shows measurements.
      case readingDoctor
      /// An administrator to whom the patient shows the access log.
      case readingAdministrator

      var isSignedIn: Bool { ![.stranger, .suspended, .ended].contains(self) }

      /// True for a reader, to whom the patient shows some pages.
      var isReader: Bool { [.readingDoctor, .readingAdministrator].contains(self) }

      /// The rights of a guardian; nil for anybody who may not act for the patient.
      var scope: GuardianScope? {
        switch self {
        case .bookingGuardian: .book
        case .readingGuardian: .read
        case .actingGuardian: .all
        default: nil
        }
      }

      /// True if the visitor handles the patient's appointments.
      var worksForPatient: Bool { [.ownDoctor, .ownReceptionist].contains(self) }
    }
  }

  init() throws {
    filled = try FilledPortal()
    let portal = filled.portal
    let administrator = try portal.administrator()
    let suspended = try portal.register()
    // Before the suspension, after which nobody makes a token.
    let suspendedToken = try suspended.makeToken(Self.tokenScopes)
    let page = "/admin/people/\(try portal.person(of: suspended))"
    #expect(try administrator.submit(page + "/suspend", [:]).status == 303)
    let ended = try portal.register()
    let person = try portal.person(of: ended)
    try portal.database.write { try $0.run("DELETE FROM sessions WHERE person = \(person)") }
    let found = filled.receptionist.press(
      "/appointments/desk/search", on: "/appointments/desk/book", ["q": filled.patient.login])
    chosen = try #require(
      filled.receptionist.get(found.location).body.firstMatch(of: /patient_id=[A-Za-z0-9_-]+/)
        .map { String($0.output) })
    let other = try portal.register()
    let people = PeopleAroundPatient(filled: filled, administrator: administrator)
    try people.keepSecondFactors(with: other)
    let guardians = try people.guardians()
    // The visitors `.doctor` and `.receptionist` do not work at the patient's clinic.
    let visitors: [Asker] =
      [
        Asker(kind: .owner, visitor: filled.patient, roles: [.patient]),
        Asker(kind: .stranger, visitor: portal.visitor(), roles: []),
        Asker(kind: .otherPatient, visitor: other, roles: [.patient]),
        Asker(kind: .doctor, visitor: try portal.doctor(), roles: [.patient, .doctor]),
        Asker(
          kind: .receptionist, visitor: try portal.receptionist(), roles: [.patient, .receptionist]),
        Asker(kind: .administrator, visitor: administrator, roles: [.patient, .administrator]),
        Asker(kind: .ownDoctor, visitor: filled.doctor, roles: [.patient, .doctor]),
        Asker(
          kind: .ownReceptionist, visitor: filled.receptionist, roles: [.patient, .receptionist]),
        Asker(kind: .suspended, visitor: suspended, roles: []),
        Asker(kind: .ended, visitor: ended, roles: []),
        try people.childWithAccount(),
      ] + guardians + (try people.readers())
    self.visitors = visitors
    prefix = PersonInCare.prefix(try portal.person(of: filled.patient))
    made = try people.paths(
      guardians: guardians.filter { $0.kind.scope != nil }.map(\.visitor), other: other,
      member: ended)
    var programs: [Asker.Kind: TestProgram] = [
      .suspended: TestProgram(portal, token: suspendedToken)
    ]
    for asker in visitors where asker.kind.isSignedIn {
      let token = try asker.visitor.makeToken(Self.tokenScopes)
      programs[asker.kind] = TestProgram(portal, token: token)
    }
    self.programs = programs
  }
}

extension AccessMatrix {
  /// The paths of an appointment elsewhere, which is a record beside the bookings.
  private static let ofReaders: Set = [
    "/appointments/2", "/appointments/2.ics", "/api/v1/appointments/2",
  ]
  /// The values of path parameters, which include the ids of the patient's records.
  private static let values: [String: [String]] = [
    "{id}": ["1", "2"],
    // A well-formed token that was never issued.
    "{token}": ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    "{country}": ["BY"], "{pair}": ["1-2"], "{person}": ["1", "4"],
    "{slot}": ["2026-05-03-evening"],
    "{upload}": ["1", "2", "3"], "{link}": ["1"],
    "{release}": ["0123456789abcdef"], "{module}": ["appointments"], "{file}": ["modules.css"],
  ]

  /// The queries that some pages need.
  private static let queries = [
    "/appointments/queue/{id}/again": "?doctor=1",
    "/appointments/desk/book/login": "?doctor=1&date=2026-05-06&time=10:00",
    "/admin/people/{id}/give": "?role=receptionist", "/admin/people/{id}/take": "?role=doctor",
  ]

  /// The values of the parameter of routes whose `{id}` is no number, or that of another person.
  private static let ownValues = [
    // The patient without an account, who comes after the patient, the doctor and the receptionist.
    "/appointments/desk/patients/{id}/edit": ["1", "4"],
    "/admin/modules/{id}/enable": ["contacts"], "/admin/modules/{id}/disable": ["contacts"],
  ]

  /// The pages for which ``FilledPortal`` has no record, each with the reason.
  private static let unreached = [
    "/health-metrics/home-week/readings/{slot}": "no reading of a past day is missing",
    "/setup/{token}": "a link that is printed on the first run",
    "/account/child": "only below the address of a child, where ChildCorrectionTests asks for it",
    "/notifications/confirm/{token}": "a link that goes by e-mail",
    "/appointments/calendar/{token}.ics": "a secret address, which opens for whoever has it",
    "/contacts/{id}/birthday/delete": "no contact here has a birthday without a year",
    "/appointments/doctors/photos/{id}": "no doctor here has a photo",
    "/appointments/{id}/decline":
      "the patient's appointment is not called, so that it can be cancelled",
    "/releases/{release}/{folder}/{file}": "no release is kept here",
    "/assets/modules/{module}/{file}": "files whose paths have hashes",
  ]

  /// The routes for signed-in visitors whose parameter is not a person's record, or is a link that
  /// anybody may use.
  private static let ofNobody: Set = [
    "/account/people/accept/{token}", "/account/people/allow/{token}",
    "/appointments/clinics/{id}/choose", "/appointments/doctors/{id}/queue",
    "/appointments/doctors/{id}/queue/leave", "/appointments/doctors/{id}/queue/decline",
    "/appointments/wishes/{id}", "/appointments/wishes/{id}/leave",
  ]

  /// Returns the path of a route with each value of its parameter.
  func paths(of route: DeclaredRoute) -> [String] {
    if let made = made[route.path] { return made }
    guard let start = route.path.firstIndex(of: "{"), let end = route.path.firstIndex(of: "}")
    else { return [route.path] }
    let parameter = route.path[start...end]
    guard let values = Self.ownValues[route.path] ?? Self.values[String(parameter)] else {
      broken.append("\(route.path): no value is known for \(parameter)")
      return []
    }
    let query = Self.queries[route.path] ?? (route.path.hasSuffix("/join") ? "?\(chosen)" : "")
    return values.map { route.path.replacing(parameter, with: $0) + query }
  }

  /// The pages that no visitor was shown.
  var unseen: [String] {
    filled.portal.routes.filter { $0.methods.contains(.get) }.map(\.path)
      .filter { !seen.contains($0) && Self.unreached[$0] == nil }
  }

  /// Returns the patient's export of each module.
  func copyOfPatient() throws -> [String] {
    try modules.map { module in
      let copy = try filled.portal.export(of: filled.patient, from: module.id)
      return String(decoding: copy.encoded, as: UTF8.self)
    }
  }

  /// The number of cells that there are: each method of each route at both addresses for each
  /// visitor.
  var cellCount: Int {
    let routes = filled.portal.routes
    return Set(routes.flatMap { route in route.methods.map { "\($0.rawValue) \(route.path)" } })
      .count * Asker.Kind.allCases.count * 2
  }

  /// Requests a path as one visitor, and records violations of the declared access.
  func ask(_ asker: Asker, _ route: DeclaredRoute, _ path: String) {
    for method in route.methods {
      cells.insert(
        Cell(path: route.path, method: method, kind: asker.kind, isInCare: false))
      let answer: TestPage
      let call = "\(method.rawValue) \(path) by \(asker.kind)"
      switch method {
      case .get:
        answer = asker.visitor.get(path)
        if asker.kind == .owner { ownStatuses[path] = answer.status }
      // Permitted writes change nothing, because they are about another person.
      case .post where isPermitted(asker, route, method):
        sendForAnother(asker, path, call)
        continue
      default:
        answer = send(path, by: asker)
      }
      if let expected = expectation(asker, route, method), !expected.contains(answer.status) {
        broken.append("\(call) answers \(answer.status), not one of \(expected.sorted())")
      }
      // Without a sign-in in progress, its further pages redirect to the sign-in page.
      let asksToSignIn =
        answer.status == 303 && answer.location.hasPrefix("/login")
        && !["/login/code", "/login/passkey"].contains(path)
      if method == .get, asksToSignIn == isLetIn(asker, route, method),
        asker.kind.isSignedIn == false
      {
        broken.append("\(call) answers \(answer.status) \(answer.location)")
      }
      // A missing record may redirect to the list.
      let isShown = answer.status == 200 || answer.status == 303 && !route.path.contains("{")
      if method == .get, isShown, isLetIn(asker, route, method) {
        seen.insert(route.path)
      }
      search(answer, for: asker, call)
    }
  }

  /// Requests a path below the patient's address as one visitor, and records violations of what the
  /// route declares for guardians.
  func askInCare(_ asker: Asker, _ route: DeclaredRoute, _ path: String) {
    for method in route.methods {
      cells.insert(Cell(path: route.path, method: method, kind: asker.kind, isInCare: true))
      let call = "\(method.rawValue) \(prefix)\(path) by \(asker.kind)"
      let expected = expectationInCare(asker, route, method)
      guard let expected else {
        if method == .get {
          let answer = asker.visitor.get(prefix + path)
          let (status, isHidden) = (answer.status, Self.ofReaders.contains(path))
          let own = isHidden && asker.kind == .bookingGuardian ? 404 : ownStatuses[path]
          if asker.kind == .bookingGuardian { search(answer, for: asker, call) }
          if status != own, own == 200 || [401, 403, 500].contains(status) {
            broken.append("\(call) answers \(status), and the patient gets \(own ?? 0)")
          }
        } else {
          sendForAnother(asker, prefix + path, call)
        }
        continue
      }
      let answer =
        method == .get
        ? asker.visitor.get(prefix + path) : send(prefix + path, by: asker)
      if answer.status != expected {
        broken.append("\(call) answers \(answer.status), not \(expected)")
      }
      search(answer, for: asker, call)
    }
  }

  /// Returns the status of a refusal below the patient's address; nil for a request that the
  /// visitor's scope allows.
  private func expectationInCare(
    _ asker: Asker, _ route: DeclaredRoute, _ method: Request.Method
  ) -> Int? {
    let isForStaff = if case .role = route.access { true } else { false }
    guard asker.kind.isSignedIn else { return isForStaff ? 404 : method == .get ? 303 : 401 }
    if asker.kind.isReader { return isShown(route, to: asker) ? nil : 404 }
    guard let scope = asker.kind.scope, !isForStaff else { return 404 }
    guard let needed = route.guardianScope(for: method), needed <= scope else { return 403 }
    return nil
  }

  /// Returns true for a page that the patient shows a reader. No form is one.
  private func isShown(_ route: DeclaredRoute, to reader: Asker) -> Bool {
    if route.methods != [.get] { return false }
    switch reader.kind {
    case .readingDoctor: return "\(route.path)/".hasPrefix("/health-metrics/")
    case .readingAdministrator: return route.path == "/account/access-log"
    default: return false
    }
  }

  /// Sends a form about a person who is neither the visitor nor in the visitor's care. All rights are
  /// checked before that is refused. Visitors without a session need no rights.
  private func sendForAnother(_ asker: Asker, _ path: String, _ call: String) {
    guard asker.kind.isSignedIn else { return }
    let status = send(path, by: asker, [("person", "999999")]).status
    if status != 409 {
      broken.append("\(call) about another person answers \(status), not 409")
    }
  }

  /// Sends a form that no page offers, with the tokens of the visitor's session.
  private func send(
    _ path: String, by asker: Asker, _ fields: [(String, String)] = []
  ) -> TestPage {
    let tokens =
      self.tokens[asker.kind] ?? asker.visitor.get("/privacy").hidden(of: "/logout")
    self.tokens[asker.kind] = tokens
    let given = Set(fields.map(\.0))
    return asker.visitor.post(path, pairs: tokens.filter { !given.contains($0.0) } + fields)
  }

  /// Returns true if the visitor may send the POST.
  private func isPermitted(
    _ asker: Asker, _ route: DeclaredRoute, _ method: Request.Method
  ) -> Bool {
    isLetIn(asker, route, method) && !isRefusedRecord(asker, route)
  }

  /// Returns true if the route leads to a record of the patient that the visitor may not see.
  private func isRefusedRecord(_ asker: Asker, _ route: DeclaredRoute) -> Bool {
    guard case .signedIn = route.access, asker.kind != .owner else { return false }
    if asker.kind.worksForPatient, route.path.hasPrefix("/appointments/") { return false }
    if asker.kind.scope != nil, route.path == "/account/people/{person}/leave" { return false }
    if asker.kind == .child, route.path == "/account/people/{person}/agree" { return false }
    return route.path.contains("{") && !Self.ofNobody.contains(route.path)
  }

  private func isLetIn(_ asker: Asker, _ route: DeclaredRoute, _ method: Request.Method) -> Bool {
    if route.open.contains(method) { return true }
    guard asker.kind.isSignedIn else { return false }
    if case .role(let role) = route.access { return asker.roles.contains(role) }
    return true
  }

  /// Returns the statuses that the declared access allows.
  private func expectation(
    _ asker: Asker, _ route: DeclaredRoute, _ method: Request.Method
  ) -> Set<Int>? {
    if !isLetIn(asker, route, method) {
      if asker.kind.isSignedIn { return [403] }
      // A sign-out without a session succeeds.
      return method == .get || route.path == "/logout" ? [303] : [401]
    }
    if isRefusedRecord(asker, route) {
      // A link that was never issued has ended.
      if route.path.contains("{token}") { return [403, 404, 410] }
      // A missing preview redirects to the page where the user chooses a file.
      return route.path.contains("{upload}") ? [303, 403, 404] : [403, 404]
    }
    let allowed: Set = [200, 303, 400, 404, 409, 410, 422]
    return asker.kind.worksForPatient ? allowed.union([403]) : allowed
  }

  /// Records an answer that shows the patient's data to another visitor.
  func search(_ answer: TestPage, for asker: Asker, _ call: String) {
    let headers = answer.headers.map { "\($0.value)" }.joined(separator: "\n")
    var shown = answer.body + headers
    if asker.kind == .ownDoctor {
      shown = shown.replacing("\(FilledPortal.secret) purpose", with: "")
    }
    guard shown.contains(FilledPortal.secret) else { return }
    // A guardian's first page says what is due for the patient.
    if asker.kind.scope != nil, call.hasPrefix("GET / by ") { return }
    if asker.kind == .owner {
      pagesWithSecret.insert(call)
    } else {
      broken.append("\(call) shows what the patient wrote")
    }
  }
}

/// The JSON API, which programs ask with a token.
extension AccessMatrix {
  /// A request for a list of records or for one record.
  private struct ProgramRequest {
    let method: Request.Method
    /// The path at its owner's own address.
    let path: String
    let isRecord: Bool
    let module: any Module
  }

  /// The right to change the records of each module that has any.
  private static var tokenScopes: [String: String] {
    Dictionary(
      modules.filter { !$0.resources.isEmpty }.map { ($0.id.rawValue, "write") },
      uniquingKeysWith: { one, _ in one })
  }

  /// The requests for each list and for the patient's records, those that only read first.
  private static var programRequests: [ProgramRequest] {
    var requests: [ProgramRequest] = []
    for module in modules {
      for list in module.resourcePaths {
        for method in [Request.Method.get, .post] {
          requests.append(
            ProgramRequest(method: method, path: list, isRecord: false, module: module))
        }
        for id in values["{id}"] ?? [] {
          for method in [Request.Method.get, .put, .delete] {
            requests.append(
              ProgramRequest(method: method, path: "\(list)/\(id)", isRecord: true, module: module))
          }
        }
      }
    }
    return requests
  }

  /// Sends each request of the API as each visitor, at its own address and below the patient's, and
  /// records violations. The patient is the first visitor.
  func askAsPrograms() {
    for request in Self.programRequests {
      for asker in visitors {
        for start in ["", prefix] { ask(asker, request, below: start) }
        if asker.kind.isReader, request.method == .get { askInBrowser(asker, request) }
      }
    }
  }

  private func ask(_ asker: Asker, _ request: ProgramRequest, below start: String) {
    let path = start + request.path
    let answer = send(request, to: path, by: asker)
    let call = "\(request.method.rawValue) \(path) by a program of \(asker.kind)"
    let isOwn = asker.kind == .owner && start.isEmpty
    if isOwn, request.method == .get {
      ownStatuses[path] = answer.status
      // The patient's first records have the secret, so its absence elsewhere is significant.
      if path.hasSuffix("/1"), !answer.contains(FilledPortal.secret) {
        broken.append("\(call) does not show what the patient wrote")
      }
    }
    let expected = expectation(asker, request, below: start)
    if answer.status != expected {
      broken.append("\(call) answers \(answer.status), not \(expected)")
    }
    let scope = start.isEmpty ? nil : asker.kind.scope
    let mayRead = scope.map { $0 >= .read } ?? false
    if !isOwn, !mayRead { search(answer, for: asker, call) }
  }

  /// Sends a request that changes nothing: its new record is no JSON, and its tag is out of date.
  private func send(_ request: ProgramRequest, to path: String, by asker: Asker) -> TestPage {
    let (method, isRecord) = (request.method, request.isRecord)
    let body = method == .post ? "{" : method == .put ? "{}" : ""
    let condition = isRecord && method != .get ? ["If-Match": "\"1\""] : [String: String]()
    if let program = programs[asker.kind] {
      return program.send(method.rawValue, path, body, headers: condition)
    }
    let headers = condition.merging(["Content-Type": "application/json"]) { one, _ in one }
    return asker.visitor.send(method.rawValue, path, body: Array(body.utf8), headers: headers)
  }

  /// Returns the status of the answer to a program.
  private func expectation(
    _ asker: Asker, _ request: ProgramRequest, below start: String
  ) -> Int {
    guard asker.kind.isSignedIn else { return 401 }
    let isMissing = request.isRecord && ownStatuses[request.path] != 200
    let granted = request.method == .get ? 200 : request.method == .post ? 400 : 412
    if start.isEmpty {
      let isOwn = asker.kind == .owner || !request.isRecord
      return isOwn && !isMissing ? granted : 404
    }
    // A reader has no program for the patient.
    guard let scope = asker.kind.scope else { return 404 }
    guard let needed = request.module.guardianAccess.scope(for: request.method), needed <= scope
    else { return 403 }
    let isHidden = scope == .book && Self.ofReaders.contains(request.path)
    return isMissing || isHidden ? 404 : granted
  }

  /// Sends a request below the patient's address with a reader's session, which reads what the
  /// patient shows.
  private func askInBrowser(_ reader: Asker, _ request: ProgramRequest) {
    let path = prefix + request.path
    let status = reader.visitor.get(path).status
    let isShown = reader.kind == .readingDoctor && request.module.id == "health-metrics"
    let expected = isShown ? ownStatuses[request.path] : 404
    if status != expected {
      broken.append("GET \(path) by \(reader.kind) answers \(status), not \(expected ?? 0)")
    }
  }
}

extension Module {
  fileprivate var resourcePaths: [String] {
    resources.map { "/api/v1/\(id)" + ($0.path.isEmpty ? "" : "/\($0.path)") }
  }
}
