import PolyclinicCore

/// The contract of a module's pages, jobs and checks once the module holds data.
extension ModuleContract {
  /// The portal's own pages that show parts of modules.
  private static let portalPages = [
    "/", "/privacy", "/account/edit", "/account/deleted", "/notifications",
    "/notifications/preferences", "/account/offline", "/account/offline/copy",
    "/api/v1/openapi.json",
  ]

  /// The times after `fill` at which the jobs run again, because a reminder may be due much later.
  private static let laterTimes: KeyValuePairs<String, Seconds> = [
    "five minutes": .minutes(5), "an hour": .hours(1), "a day": .days(1), "a week": .days(7),
    "31 days": .days(31), "100 days": .days(100), "a year": .days(366),
  ]

  /// Jobs and checks run, `polyclinic check` finds no problem, and every page is shown without missing words.
  func failsOnceFilled() throws -> [String] {
    let portal = try TestPortal(module, settings: settings)
    let person = try portal.register()
    try fill(person)
    let failures = portal.failures()
    if !failures.isEmpty { return failures }
    let complaints = try portal.problems().map { "`polyclinic check` complains: \($0)" }
    let visitors = try Self.staff(of: portal).merging([.patient: person]) { $1 }
    for visitor in visitors.values {
      _ = visitor.press("/account/offline/keep", on: "/account/offline", evenIfAbsent: true)
    }
    let pages = try pages(in: portal)
    return complaints + Self.failures(of: pages + linked(from: pages, for: visitors), for: visitors)
      + (try failsLater(in: portal, for: person))
  }

  /// Jobs and checks also run while time passes, and the notices of the jobs have their words.
  private func failsLater(in portal: TestPortal, for person: TestVisitor) throws -> [String] {
    if module.jobs.isEmpty { return [] }
    let start = portal.now
    for (words, time) in Self.laterTimes {
      portal.now = start + time
      let failures = portal.failures(of: module.id)
      if !failures.isEmpty { return failures.map { "\(words) later, \($0)" } }
    }
    _ = try person.signIn(person.login)
    return Self.failures(of: [("/notifications", .patient)], for: [.patient: person])
  }

  /// Requests pages in each language; a role's pages are requested by the visitor with that role.
  private static func failures(
    of pages: [(path: String, role: Role)], for visitors: [Role: TestVisitor]
  ) -> [String] {
    var broken: [String] = []
    var wordless: [String: (page: String, languages: [String])] = [:]
    for language in Language.allCases {
      for visitor in visitors.values {
        _ = visitor.press("/language", on: "/", ["language": language.code], evenIfAbsent: true)
      }
      for page in pages {
        guard let shown = visitors[page.role]?.get(page.path) else { continue }
        if shown.status >= 500 || !shown.failures.isEmpty {
          let reason = shown.failures.isEmpty ? "" : ": \(shown.failures.joined(separator: "; "))"
          broken.append("GET \(page.path) fails in “\(language.code)”\(reason)")
        }
        for key in shown.missingWords {
          let page = wordless[key]?.page ?? page.path
          wordless[key, default: (page, [])].languages.append(language.code)
        }
      }
    }
    return broken
      + wordless.sorted { $0.key < $1.key }.map { key, shown in
        let languages = Set(shown.languages).sorted().joined(separator: ", ")
        return "\(shown.page) shows ⟦\(key)⟧ (\(languages)): its words or a value are missing"
      }
  }

  /// Returns the paths of all pages, with the numbers of the newest rows in the module's tables.
  private func pages(in portal: TestPortal) throws -> [(path: String, role: Role)] {
    let numbers = try ownTables().reduce(into: Set<Int>()) { numbers, table in
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

extension ModuleContract {
  /// The most links that are followed for each role.
  private static let mostLinks = 50

  /// Returns the module's pages to which these pages link, such as those of a day, without these pages.
  fileprivate func linked(
    from pages: [(path: String, role: Role)], for visitors: [Role: TestVisitor]
  ) -> [(path: String, role: Role)] {
    visitors.flatMap { role, visitor in
      let shown = pages.filter { $0.role == role }.map(\.path)
      var seen = Set(shown)
      let links = shown.flatMap { visitor.get($0).links }.filter { link in
        let path = link.prefix { $0 != "?" }
        return (path == "/\(module.id)" || path.hasPrefix("/\(module.id)/"))
          && seen.insert(link).inserted
      }
      return links.prefix(Self.mostLinks).map { (path: $0, role: role) }
    }
  }
}

extension TestPage {
  /// The addresses of the page's links.
  fileprivate var links: [String] {
    body.split(separator: "<a ").dropFirst().compactMap { piece in
      let tag = piece.prefix { $0 != ">" }
      guard let start = tag.firstRange(of: "href=\"") else { return nil }
      let address = tag[start.upperBound...].prefix { $0 != "\"" && $0 != "#" }
      return String(address).replacing("&amp;", with: "&")
    }
  }
}

extension TestPortal {
  /// Returns the numbers of a table's three newest rows.
  fileprivate func numbers(in table: String) throws -> [Int] {
    guard try hasRowIDs(table) else { return [] }
    return try database.read {
      try $0.rows("SELECT rowid FROM \(schemaName: table) ORDER BY rowid DESC LIMIT 3") {
        $0.int(0)
      }
    }
  }
}
