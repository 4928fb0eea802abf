import PolyclinicCore
import PolyclinicServer

/// What every module promises, proved by walking through a portal that has it.
///
/// A module's own tests hold it to this: `let broken = try ModuleContract(…) { … }.broken()`, and then
/// `#expect(broken == [])`, which prints the sentences. A `try` within `#expect` would keep them.
public struct ModuleContract {
  let module: any Module
  private let foreignTables: Set<String>
  let workingTables: Set<String>
  let settings: [String: SettingValue]
  let fill: (TestVisitor) throws -> Void

  /// Checks a module in portals in which `fill` makes somebody store something of each kind.
  ///
  /// - Parameters:
  ///   - foreignTables: Tables whose names lack the module's prefix, because another program named them.
  ///   - workingTables: Tables that hold nothing of a person beyond what other tables say, such as claims
  ///     on a time slot: no export has them.
  ///   - settings: Settings of the module, such as a file in place of a server that its job asks.
  public init(
    _ module: any Module, foreignTables: Set<String> = [], workingTables: Set<String> = [],
    settings: [String: SettingValue] = [:], fill: @escaping (TestVisitor) throws -> Void
  ) {
    self.module = module
    self.foreignTables = foreignTables
    self.workingTables = workingTables
    self.settings = settings
    self.fill = fill
  }

  /// Every promise that is broken, a sentence each; empty when all are kept.
  public func broken() throws -> [String] {
    let refusal = doesNotStart()
    if !refusal.isEmpty { return refusal }
    return try wordsDiffer() + tablesLackPrefix() + columnsAreUntold() + routesAreOpen()
      + resourcesAreOpen() + linksLeadNowhere() + commandsAreUnclear() + failsOnceFilled()
      + storedIsForgotten() + dataStays() + needsAnAccount() + cannotBeSwitchedOff()
  }

  /// The portal starts with it: no two routes, offers or landings clash, and its schema can be made.
  func doesNotStart() -> [String] {
    do { _ = try TestPortal(module, settings: settings) } catch {
      return ["the portal does not start with it: \(error)"]
    }
    return []
  }

  /// The catalogs have the same keys and placeholders, and the title is among them.
  func wordsDiffer() throws -> [String] {
    let words = try Phrasebook(module.catalog)
    let untitled = Language.allCases.filter { !words.contains(module.title.key, in: $0) }
    return module.catalog.differences().map { "catalog: \($0)" }
      + untitled.map { "catalog: the title is missing in “\($0.code)”" }
  }

  /// Tables begin with the module's prefix.
  func tablesLackPrefix() throws -> [String] {
    try ownTables().filter {
      $0 != module.id.rawValue && !$0.hasPrefix(module.id.tablePrefix)
        && !foreignTables.contains($0)
    }.map { "table \($0) does not begin with \(module.id.tablePrefix)" }
  }

  /// Each column is sealed, told on the privacy page, or declared to say nothing about anybody.
  func columnsAreUntold() throws -> [String] {
    try TestPortal(module, settings: settings).untoldColumns()
  }

  /// Each route asks for its access, and each change for its anti-forgery token.
  func routesAreOpen() throws -> [String] {
    let portal = try TestPortal(module, settings: settings)
    let stranger = portal.visitor()
    let patient = try portal.register()
    let staff = try Self.staff(of: portal)
    return module.routes.flatMap { route in
      let path = path(of: route)
      return route.methods.flatMap { method in
        refusals(of: method.rawValue, path, route.access, stranger, patient)
          + refusals(of: method.rawValue, path, route.access, staff)
      }
    }
  }

  /// Its records ask programs for a token, and show none that there is not.
  func resourcesAreOpen() throws -> [String] {
    if module.resources.isEmpty, module.readOnlyResources.isEmpty { return [] }
    let portal = try TestPortal(module, settings: settings)
    let stranger = portal.visitor()
    let reader = try portal.register().makeToken([module.id.rawValue: "read"])
    let program = TestProgram(portal, token: reader)
    let closed = module.readOnlyResources.filter {
      !$0.access.isOpen(under: Settings(module.settings, given: settings))
    }.compactMap {
      let path = "/api/v1/\(module.id)/\($0.pattern)"
      let status = stranger.get(path).status
      return status == 401 ? nil : "GET \(path) without a token answers \(status), not 401"
    }
    return closed
      + module.resources.flatMap { resource -> [String] in
        let path = "/api/v1/\(module.id)" + (resource.path.isEmpty ? "" : "/\(resource.path)")
        let expected = [
          ("GET \(path) without a token", stranger.get(path), 401),
          ("GET \(path)/999999", program.get("\(path)/999999"), 404),
          ("POST \(path) by a token that reads", program.post(path, "{}"), 403),
        ]
        return expected.filter { $0.1.status != $0.2 }.map {
          "\($0.0) answers \($0.1.status), not \($0.2)"
        }
      }
  }

  /// Somebody of each role that is given.
  static func staff(of portal: TestPortal) throws -> [Role: TestVisitor] {
    [
      .doctor: try portal.doctor(), .receptionist: try portal.receptionist(),
      .administrator: try portal.administrator(),
    ]
  }

  private func refusals(
    of method: String, _ path: String, _ access: Access, _ staff: [Role: TestVisitor]
  ) -> [String] {
    guard case .role(let needed) = access else { return [] }
    return staff.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { role, visitor in
      guard role != needed, visitor.send(method, path).status != 403 else { return nil }
      return "\(method) \(path) is not refused to the role \(role.rawValue)"
    }
  }

  private func refusals(
    of method: String, _ path: String, _ access: Access, _ stranger: TestVisitor,
    _ patient: TestVisitor
  ) -> [String] {
    var broken: [String] = []
    if access != .everyone {
      let expected = method == "GET" ? 303 : 401
      let status = stranger.send(method, path).status
      if status != expected {
        broken.append(
          "\(method) \(path) answers \(status) to who has not signed in, not \(expected)")
      }
    }
    if case .role = access, patient.send(method, path).status != 403 {
      broken.append("\(method) \(path) is not refused to who lacks the role")
    }
    if method != "GET", patient.send(method, path).status != 403 {
      broken.append("\(method) \(path) is done without its anti-forgery token")
    }
    return broken
  }

  /// A person's rows go with the person.
  func dataStays() throws -> [String] {
    let portal = try TestPortal(module, settings: settings)
    let person = try portal.register()
    let before = try portal.rowCounts()
    try fill(person)
    do { try portal.erase(person) } catch is Refusal {
      return ["a patient who has stored something of it cannot be erased"]
    }
    let after = try portal.rowCounts()
    return try ownTables().filter { after[$0] ?? 0 > before[$0] ?? 0 }.map {
      "table \($0) keeps rows of a person who was erased"
    }
  }

  /// Switched off, its addresses are not found, all else works, and its schema is kept up.
  func cannotBeSwitchedOff() throws -> [String] {
    let portal = try TestPortal(module, disabled: [module.id], settings: settings)
    let person = try portal.register()
    var broken = module.routes.compactMap { route -> String? in
      guard let method = route.methods.first?.rawValue else { return nil }
      let status = person.send(method, path(of: route)).status
      return status == 404 ? nil : "\(method) \(path(of: route)) answers \(status) while it is off"
    }
    if person.get("/").status != 200 { broken.append("the dashboard fails while it is off") }
    let tables = try portal.tables()
    for table in try ownTables() where !tables.contains(table) {
      broken.append("table \(table) is missing while it is off")
    }
    return broken
  }

  /// A path that the route answers; the number is one that nobody has, unless it is given.
  func path(of route: Route, number: Int = 999_999) -> String {
    let pattern = route.pattern.isEmpty ? "" : "/" + route.pattern
    let segments = "\(module.id)\(pattern)".split(separator: "/").map {
      $0.hasPrefix("{") ? "\(number)" + $0.drop { $0 != "}" }.dropFirst() : String($0)
    }
    return "/" + segments.joined(separator: "/")
  }

  func ownTables() throws -> [String] {
    try TestPortal(module, settings: settings).tables().subtracting(TestPortal().tables()).sorted()
  }
}

extension TestPortal {
  /// The names of all tables.
  public func tables() throws -> Set<String> {
    try database.read { connection in
      Set(
        try connection.rows(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ) { $0.string(0) })
    }
  }

  /// How many rows each table has.
  public func rowCounts() throws -> [String: Int] {
    try rehearsal.withLock { try $0.rowCounts() }
  }

  /// Erases a person as the portal does; throws ``Refusal/conflict(_:)`` with what is to be done first.
  public func erase(_ visitor: TestVisitor) throws {
    let person = try keys(of: visitor).person
    try rehearsal.withLock { try $0.erase(person) }
  }
}
