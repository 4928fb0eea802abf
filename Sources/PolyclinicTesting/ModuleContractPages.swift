import PolyclinicCore

/// The promises of a module about pages, jobs and checks once something of it is stored.
extension ModuleContract {
  /// The portal's own pages that say something of a module.
  private static let portalPages = [
    "/", "/privacy", "/account/edit", "/account/deleted", "/notifications",
    "/notifications/preferences", "/api/v1/openapi.json",
  ]

  /// Jobs and checks run, `polyclinic check` finds nothing, and every page is shown with all its words.
  func failsOnceFilled() throws -> [String] {
    let portal = try TestPortal(module, settings: settings)
    let person = try portal.register()
    try fill(person)
    do {
      try portal.runJobs()
      _ = try portal.checks()
    } catch { return ["a job or a check fails: \(error)"] }
    return try portal.problems().map { "`polyclinic check` complains: \($0)" }
      + pagesFail(in: portal, for: person)
  }

  /// Asks for every page in each language, those for a role as somebody who has it.
  private func pagesFail(in portal: TestPortal, for person: TestVisitor) throws -> [String] {
    let visitors = try Self.staff(of: portal).merging([.patient: person]) { $1 }
    let pages = try pages(in: portal)
    var broken: [String] = []
    var wordless: [String: (page: String, languages: [String])] = [:]
    for language in Language.allCases {
      for visitor in visitors.values {
        _ = visitor.press("/language", on: "/", ["language": language.code], evenIfAbsent: true)
      }
      for page in pages {
        guard let shown = visitors[page.role]?.get(page.path) else { continue }
        if shown.status >= 500 || shown.hasFailedCard {
          broken.append("GET \(page.path) fails in “\(language.code)”")
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

  /// The paths of all pages, with each number that something in the module's tables has.
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

extension TestPage {
  /// The keys of texts without words, and the names of placeholders without values.
  fileprivate var missingWords: Set<String> {
    Set(body.split(separator: "⟦").dropFirst().map { String($0.prefix { $0 != "⟧" }) })
  }

  /// True on a dashboard with a card that has thrown.
  fileprivate var hasFailedCard: Bool { contains("<p class=\"muted\">Not available at the moment") }
}

extension TestPortal {
  /// The latest numbers of a table's rows.
  fileprivate func numbers(in table: String) throws -> [Int] {
    try database.read { connection in
      let isNumbered = try connection.integer(
        """
        SELECT 1 FROM sqlite_schema
        WHERE type = 'table' AND name = \(table) AND sql NOT LIKE '%WITHOUT ROWID%'
        """)
      if isNumbered == nil { return [] }
      return try connection.rows(
        "SELECT rowid FROM \(schemaName: table) ORDER BY rowid DESC LIMIT 3"
      ) { $0.int(0) }
    }
  }
}
