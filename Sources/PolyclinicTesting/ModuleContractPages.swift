import PolyclinicCore

/// The contract of a module's pages, jobs and checks once the module holds data.
extension ModuleContract {
  /// The portal's own pages that show parts of modules.
  static let portalPages = [
    "/", "/privacy", "/account/edit", "/account/deleted", "/notifications",
    "/notifications/preferences", "/account/offline", "/account/offline/copy",
    "/api/v1/openapi.json",
  ]

  /// The times after `fill` at which the jobs run again, because a reminder may be due much later.
  private static let laterTimes: KeyValuePairs<String, Seconds> = [
    "five minutes": .minutes(5), "an hour": .hours(1), "a day": .days(1), "a week": .days(7),
    "31 days": .days(31), "100 days": .days(100), "a year": .days(366),
  ]

  /// Jobs and checks run, `polyclinic check` finds no problem, and every page is shown without
  /// missing words.
  func failsOnceFilled() throws -> [String] {
    let portal = try preparedPortal()
    let person = try portal.register()
    person.mark = Self.word
    try fill(person)
    let failures = portal.failures()
    if !failures.isEmpty { return failures }
    let complaints = try portal.problems().map { "`polyclinic check` complains: \($0)" }
    let visitors = try Self.staff(of: portal).merging([.patient: person]) { $1 }
    for visitor in visitors.values {
      _ = visitor.press("/account/offline/keep", on: "/account/offline", evenIfAbsent: true)
    }
    var crawl = try PageCrawl(of: module, in: portal, as: visitors)
    try crawl.request(pages(in: portal))
    return complaints + crawl.broken + (try failsLater(in: portal, for: visitors))
  }

  /// Jobs and checks also run while time passes, and the notices of the jobs have their words and
  /// lead to pages.
  private func failsLater(
    in portal: TestPortal, for visitors: [Role: TestVisitor]
  ) throws -> [String] {
    var broken = try noticesLeadNowhere(in: portal, for: visitors)
    if module.jobs.isEmpty { return broken }
    let start = portal.now
    for (words, time) in Self.laterTimes {
      portal.now = start + time
      let failures = portal.failures(of: module.id)
      if !failures.isEmpty { return broken + failures.map { "\(words) later, \($0)" } }
      broken += try noticesLeadNowhere(in: portal, for: visitors)
    }
    guard let person = visitors[.patient] else { return broken }
    _ = try person.signIn(person.login)
    var crawl = try PageCrawl(of: module, in: portal, as: [.patient: person])
    try crawl.request([("/notifications", .patient)])
    return broken + crawl.broken
  }

  /// Each unread notice leads to a page that its reader may open.
  private func noticesLeadNowhere(
    in portal: TestPortal, for visitors: [Role: TestVisitor]
  ) throws -> [String] {
    try visitors.values.flatMap { visitor -> [String] in
      let person = try portal.person(of: visitor)
      let unread = try portal.database.read {
        try $0.integer(
          "SELECT 1 FROM notifications WHERE person = \(person) AND read_at IS NULL LIMIT 1")
      }
      if unread == nil { return [] }
      _ = try visitor.signIn(visitor.login)
      let inbox = visitor.get("/notifications").main
      return inbox.all { $0.name == "button" && $0.hasClass("follow") }.compactMap { button in
        let path = visitor.press(
          "/notifications/open", on: "/notifications",
          ["notice": button.attributes["value", default: ""]]
        ).location
        let page = visitor.get(path)
        return page.status == 200
          ? nil : "the notice “\(button.text)” leads to \(path), which answers \(page.outcome)"
      }
    }
  }

  /// Returns the paths of all pages, with the numbers of the newest rows in the module's tables.
  private func pages(in portal: TestPortal) throws -> [(path: String, role: Role)] {
    let numbers = try portal.moduleTables().reduce(into: Set<Int>()) { numbers, table in
      numbers.formUnion(try portal.numbers(in: table))
    }
    let own = module.routes.filter { $0.methods.contains(.get) }.flatMap { route in
      let role = if case .role(let role) = route.access { role } else { Role.patient }
      if !route.pattern.contains("{") { return [(path: path(of: route), role: role)] }
      return numbers.sorted().map { (path: path(of: route, number: $0), role: role) }
    }
    return Self.portalPages.map { ($0, .patient) } + own
  }
}

extension TestPortal {
  /// Returns the numbers of a table's three newest rows.
  fileprivate func numbers(in table: String) throws -> [Int] {
    guard let column = try stored(table).numberColumn else { return [] }
    return try database.read {
      try $0.rows(
        """
        SELECT \(schemaName: column) FROM \(schemaName: table)
        ORDER BY \(schemaName: column) DESC LIMIT 3
        """
      ) { $0.int(0) }
    }
  }
}
