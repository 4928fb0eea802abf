import PolyclinicCore
import PolyclinicServer

/// The contract of every module, verified in test portals that contain it.
///
/// A module's own tests call `let broken = ModuleContract(…) { … }.broken()` and then
/// `#expect(broken == [])`, which prints the sentences.
public struct ModuleContract {
  let module: any Module
  let workingTables: Set<String>
  let workingRows: [String: SQL]
  private let settledMigrations: Set<String>
  let settings: [String: Setting.Value]
  private let prepare: (TestPortal) throws -> Void
  let fill: (TestVisitor) throws -> Void

  /// Creates a check of a module.
  ///
  /// - Parameters:
  ///   - module: The module.
  ///   - workingTables: Tables that no export contains, because they hold no personal data beyond
  ///     that of other
  ///     tables. An example is the reservations of a time slot.
  ///   - workingRows: Conditions for rows that no export contains, by table, because they follow
  ///     from other
  ///     rows of it. An example is the thumbnails of pictures.
  ///   - settledMigrations: Names of migrations that do more than add, but that the previous
  ///     release can live
  ///     with.
  ///   - settings: Settings of the module, such as a file in place of the server that its job
  ///     requests.
  ///   - prepare: Adds to a new portal that `fill` needs, such as a clinic.
  ///   - fill: Stores something of each kind for a visitor. Several visitors use it in one portal.
  public init(
    _ module: any Module, workingTables: Set<String> = [], workingRows: [String: SQL] = [:],
    settledMigrations: Set<String> = [],
    settings: [String: Setting.Value] = [:],
    prepare: @escaping (TestPortal) throws -> Void = { _ in },
    fill: @escaping (TestVisitor) throws -> Void
  ) {
    self.module = module
    self.workingTables = workingTables
    self.workingRows = workingRows
    self.settledMigrations = settledMigrations
    self.settings = settings
    self.prepare = prepare
    self.fill = fill
  }

  /// True while a contract is verified. It returns a sentence for each missing text, and a page
  /// records no issue of its own.
  @TaskLocal static var isRunning = false

  /// Returns a sentence for each violation of the contract; empty if there is none.
  ///
  /// An error that the module throws is a violation too.
  public func broken() -> [String] {
    Self.$isRunning.withValue(true) {
      let refusal = doesNotStart()
      if !refusal.isEmpty { return refusal }
      return checks.flatMap { subject, check in
        do { return try check() } catch { return ["\(subject): \(error)"] }
      }
    }
  }

  private var checks: KeyValuePairs<String, () throws -> [String]> {
    [
      "the closure of ModuleContract": fillIsRefused, "the catalog": wordsDiffer,
      "the tables": tablesLackPrefix, "the migrations": releaseBeforeFails,
      "personalData": columnsAreUntold, "the routes": routesAreOpen,
      "the resources": resourcesAreOpen, "the links": linksLeadNowhere,
      "the assets": assetsAreMissing,
      "the commands": commandsAreUnclear, "the pages and jobs": failsOnceFilled,
      "a second person": othersAreReached, "the stored data": storedIsForgotten,
      "the erasure": dataStays, "the retention": retainedNamesSomebody,
      "a person without an account": needsAnAccount,
      "the module while it is off": cannotBeSwitchedOff,
    ]
  }

  /// Returns a portal with the module, in which no visitor has stored anything.
  func preparedPortal(retentionYears: [ModuleID: Int] = [:]) throws -> TestPortal {
    let portal = try TestPortal(module, settings: settings, retentionYears: retentionYears)
    try prepare(portal)
    return portal
  }

  /// Each form that the closure sends is accepted, at least the last time.
  func fillIsRefused() throws -> [String] {
    let person = try preparedPortal().register()
    try fill(person)
    return person.refused.sorted { $0.key < $1.key }.map { path, page in
      "the closure of ModuleContract sends \(path), which answers \(page.outcome)"
    }
  }

  /// The portal starts with the module: no two routes, offers or landings conflict, and its
  /// migrations succeed.
  func doesNotStart() -> [String] {
    do { _ = try TestPortal(module, settings: settings) } catch {
      return ["the portal does not start with it: \(error)"]
    }
    return []
  }

  /// The catalogs have the same keys and placeholders, and include the module's title.
  func wordsDiffer() throws -> [String] {
    let words = try Phrasebook(module.catalog)
    let untitled = Language.allCases.filter { !words.contains(module.title.key, in: $0) }
    return module.catalog.differences().map { "catalog: \($0)" }
      + untitled.map { "catalog: the title is missing in “\($0.code)”" }
  }

  /// The tables begin with the module's prefix.
  func tablesLackPrefix() throws -> [String] {
    try ownTables().filter {
      $0 != module.id.rawValue && !$0.hasPrefix(module.id.tablePrefix)
    }.map { "table \($0) does not begin with \(module.id.tablePrefix)" }
  }

  /// Each migration leaves the previous release working, so that a portal can be rolled back.
  func releaseBeforeFails() throws -> [String] {
    let settled = settledMigrations.map { "\(module.id) \($0): " }
    return try preparedPortal().migrationBreaches().filter { breach in
      breach.hasPrefix("\(module.id) ") && !settled.contains(where: breach.hasPrefix)
    }
  }

  /// Each column is sealed, listed on the privacy page, or declared as not personal.
  func columnsAreUntold() throws -> [String] {
    try preparedPortal().untoldColumns()
  }

  /// Each route requires its access, and each change requires its anti-forgery token.
  func routesAreOpen() throws -> [String] {
    let portal = try preparedPortal()
    let stranger = portal.visitor()
    let patient = try portal.register()
    let staff = try Self.staff(of: portal)
    return module.routes.flatMap { route in
      let path = path(of: route)
      return route.methods.flatMap { method in
        let attempt = Attempt(method: method.rawValue, path: path, route: route)
        return attempt.faults(by: stranger, patient) + attempt.faults(by: staff)
      }
    }
  }

  /// The API's records require a token; a record that does not exist is answered with 404.
  func resourcesAreOpen() throws -> [String] {
    if module.resources.isEmpty, module.readOnlyResources.isEmpty { return [] }
    let portal = try preparedPortal()
    let stranger = portal.visitor()
    let reader = try portal.register().makeToken([module.id.rawValue: "read"])
    let program = TestProgram(portal, token: reader)
    let closed = module.readOnlyResources.filter {
      !$0.access.isOpen(under: Portal.Settings(module.settings, given: settings))
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

  /// Returns a visitor of each role that an administrator grants.
  static func staff(of portal: TestPortal) throws -> [Role: TestVisitor] {
    [
      .doctor: try portal.doctor(), .receptionist: try portal.receptionist(),
      .administrator: try portal.administrator(),
    ]
  }

  /// A request without an anti-forgery token.
  private struct Attempt {
    let method: String
    let path: String
    let route: Route

    /// Returns a sentence for each role to which a route of another role is open.
    func faults(by staff: [Role: TestVisitor]) -> [String] {
      guard case .role(let needed) = route.access else { return [] }
      return staff.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { role, visitor in
        guard role != needed, visitor.send(method, path).status != 403 else { return nil }
        return "\(method) \(path) is not refused to the role \(role.rawValue)"
      }
    }

    /// Returns a sentence for each answer that a stranger and a patient must not get.
    func faults(by stranger: TestVisitor, _ patient: TestVisitor) -> [String] {
      var broken: [String] = []
      let isRead = route.isReadableByEveryone && method == "GET"
      if route.access != .everyone && !isRead {
        let expected = method == "GET" ? 303 : 401
        let status = stranger.send(method, path).status
        if status != expected {
          broken.append(
            "\(method) \(path) answers \(status) to who has not signed in, not \(expected)")
        }
      }
      if case .role = route.access, patient.send(method, path).status != 403 {
        broken.append("\(method) \(path) is not refused to who lacks the role")
      }
      if method != "GET", patient.send(method, path).status != 403 {
        broken.append("\(method) \(path) is done without its anti-forgery token")
      }
      return broken
    }
  }

  /// A person's erasure deletes the person's rows.
  func dataStays() throws -> [String] {
    let portal = try preparedPortal()
    let person = try portal.register()
    let before = try portal.rowCounts()
    try fill(person)
    do { try portal.erase(person) } catch is Refusal {
      return ["a patient who has stored something of it cannot be erased"]
    }
    let after = try portal.rowCounts()
    return try portal.moduleTables().filter { after[$0] ?? 0 > before[$0] ?? 0 }.map {
      "table \($0) keeps rows of a person who was erased"
    }
  }

  /// While the module is disabled, its addresses are answered with 404, all else works, and its
  /// migrations run.
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

  /// Returns a path that the route matches; the default number belongs to no record.
  func path(of route: Route, number: Int = 999_999) -> String {
    let pattern = Path(checked: route.pattern).resolved(in: module.id).description
    let segments = pattern.split(separator: "/").map {
      $0.hasPrefix("{") ? "\(number)" + $0.drop { $0 != "}" }.dropFirst() : String($0)
    }
    return "/" + segments.joined(separator: "/")
  }

  func ownTables() throws -> [String] {
    try TestPortal(module, settings: settings).moduleTables()
  }
}

extension TestPortal {
  /// Returns the names of all tables.
  public func tables() throws -> Set<String> {
    try database.read { Set(try database.tables(on: $0).map(\.name)) }
  }

  /// Returns the number of rows of each table.
  public func rowCounts() throws -> [String: Int] {
    try server.withLock { try $0.rowCounts() }
  }

  /// Erases a person in the portal; throws `Refusal.conflict` with the steps that are required
  /// first.
  public func erase(_ visitor: TestVisitor) throws {
    let person = try keys(of: visitor).person
    try server.withLock { try $0.erase(person) }
  }
}
