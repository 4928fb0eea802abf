import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import polyclinic

/// The visitors of a filled portal, and what was wrong with the answers that they got.
final class AccessMatrix {
  let filled: FilledPortal
  let visitors: [Asker]
  private(set) var broken: [String] = []
  private(set) var pagesWithSecret: Set<String> = []
  private var seen: Set<String> = []

  /// Somebody who asks.
  struct Asker {
    let kind: Kind
    let visitor: TestVisitor
    let roles: Set<Role>

    enum Kind: String, CaseIterable {
      /// Without an account.
      case stranger
      /// The patient whose data it is.
      case owner
      case otherPatient, doctor, receptionist, administrator
      /// Those who work for the patient: they see what an appointment is about.
      case ownDoctor, ownDesk
      /// Signed in before an administrator suspended the account.
      case suspended
      /// With the cookie of a session that has ended.
      case ended

      var isSignedIn: Bool { ![.stranger, .suspended, .ended].contains(self) }

      /// Whether appointments of the patient are this one's work.
      var worksForPatient: Bool { [.ownDoctor, .ownDesk].contains(self) }
    }
  }

  init() throws {
    filled = try FilledPortal()
    let portal = filled.portal
    let administrator = try portal.administrator()
    let suspended = try portal.register()
    let page = "/admin/people/\(try portal.person(of: suspended))"
    #expect(try administrator.submit(page + "/suspend", [:]).status == 303)
    let ended = try portal.register()
    let person = try portal.person(of: ended)
    try portal.database.write { try $0.run("DELETE FROM sessions WHERE person = \(person)") }
    // Neither the doctor nor the receptionist works where the patient is booked.
    visitors = [
      Asker(kind: .owner, visitor: filled.patient, roles: [.patient]),
      Asker(kind: .stranger, visitor: portal.visitor(), roles: []),
      Asker(kind: .otherPatient, visitor: try portal.register(), roles: [.patient]),
      Asker(kind: .doctor, visitor: try portal.doctor(), roles: [.patient, .doctor]),
      Asker(
        kind: .receptionist, visitor: try portal.receptionist(), roles: [.patient, .receptionist]),
      Asker(kind: .administrator, visitor: administrator, roles: [.patient, .administrator]),
      Asker(kind: .ownDoctor, visitor: filled.doctor, roles: [.patient, .doctor]),
      Asker(kind: .ownDesk, visitor: filled.desk, roles: [.patient, .receptionist]),
      Asker(kind: .suspended, visitor: suspended, roles: []),
      Asker(kind: .ended, visitor: ended, roles: []),
    ]
  }
}

extension AccessMatrix {
  /// The values of the parameters in paths; the numbers of the patient's records are among them.
  private static let values: [String: [String]] = [
    "{id}": ["1", "2"],
    // Secrets that nobody has been told.
    "{token}": ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    "{country}": ["BY"],
    "{upload}": ["1", "2", "3"],
  ]

  /// What a page wants to be asked for besides.
  private static let queries = ["/admin/people/{id}/take": "?role=doctor"]

  /// The pages that no record of ``FilledPortal`` leads to, each with the reason.
  private static let unreached = [
    "/setup/{token}": "a link that is printed on the first run",
    "/reset/{token}": "a link that an administrator makes",
    "/invitation/{token}": "a link that a desk makes",
    "/notifications/confirm/{token}": "a link that goes by e-mail",
    "/appointments/calendar/{token}.ics": "a secret address",
    "/account/two-factor/codes": "nobody here has set codes up",
    "/account/two-factor/remove": "nobody here has set codes up",
  ]

  /// Routes for everybody who signed in whose `{id}` is no record of a person.
  private static let ofNobody: Set = [
    "/appointments/clinics/{id}/choose", "/appointments/doctors/{id}/queue",
    "/appointments/doctors/{id}/queue/leave", "/appointments/wishes/{id}",
    "/appointments/wishes/{id}/leave",
  ]

  /// Every path of a route, for each value of its parameter.
  func paths(of route: DeclaredRoute) -> [String] {
    guard let start = route.path.firstIndex(of: "{"), let end = route.path.firstIndex(of: "}")
    else { return [route.path] }
    let parameter = route.path[start...end]
    guard let values = Self.values[String(parameter)] else {
      broken.append("\(route.path): no value is known for \(parameter)")
      return []
    }
    return values.map {
      route.path.replacing(parameter, with: $0) + (Self.queries[route.path] ?? "")
    }
  }

  /// The pages that nobody was shown.
  var unseen: [String] {
    filled.portal.routes.filter { $0.methods.contains(.get) }.map(\.path)
      .filter { !seen.contains($0) && Self.unreached[$0] == nil }
  }

  /// Everything that the portal keeps about the patient and that others could change.
  func copyOfPatient() throws -> [String] {
    try modules.map { module in
      let copy = try filled.portal.export(of: filled.patient, from: module.id)
      return String(decoding: copy.encoded, as: UTF8.self)
    }
  }

  /// Asks as one visitor, and notes what the answer should not have been.
  func ask(_ asker: Asker, _ route: DeclaredRoute, _ path: String) {
    for method in route.methods {
      let answer: TestPage
      switch method {
      case .get: answer = asker.visitor.get(path)
      // What these may do they do: it is theirs, or their work.
      case .post where isPermitted(asker, route): continue
      default:
        answer = asker.visitor.press(path, on: "/privacy", evenIfAbsent: true)
      }
      let call = "\(method.rawValue) \(path) by \(asker.kind)"
      if let expected = expectation(asker, route, method), !expected.contains(answer.status) {
        broken.append("\(call) answers \(answer.status), not one of \(expected.sorted())")
      }
      // The page for a code leads back to the password where nobody has begun to sign in.
      let asksToSignIn =
        answer.status == 303 && answer.location.hasPrefix("/login") && path != "/login/code"
      if method == .get, asksToSignIn == isLetIn(asker, route), asker.kind.isSignedIn == false {
        broken.append("\(call) answers \(answer.status) \(answer.location)")
      }
      // A record that is not there may lead to the list.
      let isShown = answer.status == 200 || answer.status == 303 && !route.path.contains("{")
      if method == .get, isShown, isLetIn(asker, route) {
        seen.insert(route.path)
      }
      search(answer, for: asker, call)
    }
  }

  /// Whether a POST may do what it is for: it is not sent then.
  private func isPermitted(_ asker: Asker, _ route: DeclaredRoute) -> Bool {
    if asker.kind == .owner { return true }
    return isLetIn(asker, route) && !isRefusedRecord(asker, route)
  }

  /// Whether the route leads to a record of the patient that is not this one's to see.
  private func isRefusedRecord(_ asker: Asker, _ route: DeclaredRoute) -> Bool {
    guard case .signedIn = route.access, asker.kind != .owner else { return false }
    if asker.kind.worksForPatient, route.path.hasPrefix("/appointments/") { return false }
    return route.path.contains("{") && !Self.ofNobody.contains(route.path)
  }

  private func isLetIn(_ asker: Asker, _ route: DeclaredRoute) -> Bool {
    if route.isOpen { return true }
    guard asker.kind.isSignedIn else { return false }
    if case .role(let role) = route.access { return asker.roles.contains(role) }
    return true
  }

  /// The statuses that the declared access allows; nil where an answer may be any but a fault.
  private func expectation(
    _ asker: Asker, _ route: DeclaredRoute, _ method: Request.Method
  ) -> Set<Int>? {
    if !isLetIn(asker, route) {
      if asker.kind.isSignedIn { return [403] }
      // Who wants to sign out and is signed out already gets what was wanted.
      return method == .get || route.path == "/logout" ? [303] : [401]
    }
    if isRefusedRecord(asker, route) {
      // A preview that is not there leads back to where a file is chosen.
      return route.path.contains("{upload}") ? [303, 403, 404] : [403, 404]
    }
    let allowed: Set = [200, 303, 400, 404, 409, 410, 422]
    return asker.kind.worksForPatient ? allowed.union([403]) : allowed
  }

  /// Notes an answer that shows the patient's data to somebody else.
  func search(_ answer: TestPage, for asker: Asker, _ call: String) {
    let headers = answer.headers.map { "\($0.value)" }.joined(separator: "\n")
    var shown = answer.body + headers
    if asker.kind.worksForPatient {
      shown = shown.replacing("\(FilledPortal.secret) purpose", with: "")
    }
    guard shown.contains(FilledPortal.secret) else { return }
    if asker.kind == .owner {
      pagesWithSecret.insert(call)
    } else {
      broken.append("\(call) shows what the patient wrote")
    }
  }

  /// Asks for each resource by a program of another patient, and without a token.
  func askAsPrograms() throws {
    let scopes = Dictionary(
      modules.filter { !$0.resources.isEmpty }.map { ($0.id.rawValue, "write") },
      uniquingKeysWith: { one, _ in one })
    let asker = try #require(visitors.first { $0.kind == .otherPatient })
    let stranger = try #require(visitors.first { $0.kind == .stranger })
    let program = TestProgram(filled.portal, token: try asker.visitor.makeToken(scopes))
    for path in modules.flatMap(\.resourcePaths) {
      let list = program.get(path)
      if list.status != 200 { broken.append("GET \(path) by a program answers \(list.status)") }
      search(list, for: asker, "GET \(path) by a program")
      for id in Self.values["{id}"] ?? [] {
        let record = "\(path)/\(id)"
        for answer in [
          program.get(record), program.put(record, "{}", over: "\"1\""),
          program.delete(record, over: "\"1\""),
        ] {
          if answer.status != 404 {
            broken.append("\(record) by a program answers \(answer.status), not 404")
          }
          search(answer, for: asker, record)
        }
        let answer = stranger.visitor.get(record)
        if answer.status != 401 {
          broken.append("GET \(record) without a token answers \(answer.status), not 401")
        }
      }
    }
  }
}

extension Module {
  fileprivate var resourcePaths: [String] {
    resources.map { "/api/v1/\(id)" + ($0.path.isEmpty ? "" : "/\($0.path)") }
  }
}
