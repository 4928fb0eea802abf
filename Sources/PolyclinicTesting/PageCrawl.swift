import PolyclinicCore

/// A walk through the pages of a filled portal in each language, with a sentence for each
/// violation.
struct PageCrawl {
  /// A page, and the role of the visitor who requests it.
  typealias Address = (path: String, role: Role)

  /// The most links that are followed for each role.
  private static let mostLinks = 50

  private let module: any Module
  private let portal: TestPortal
  private let visitors: [Role: TestVisitor]
  private var rows: TableRows
  private var failures: [String] = []
  private var wordless: [String: (page: String, languages: Set<String>)] = [:]

  init(
    of module: any Module, in portal: TestPortal, as visitors: [Role: TestVisitor]
  ) throws {
    self.module = module
    self.portal = portal
    self.visitors = visitors
    rows = try portal.moduleRows()
  }

  /// A sentence for each violation.
  var broken: [String] {
    failures
      + wordless.sorted { $0.key < $1.key }.map { key, shown in
        let languages = shown.languages.sorted().joined(separator: ", ")
        return "\(shown.page) shows ⟦\(key)⟧ (\(languages)): its words or a value are missing"
      }
  }

  /// Requests the pages and those to which they link in each language.
  mutating func request(_ pages: [Address]) throws {
    var pages = pages
    for language in Language.allCases {
      for visitor in visitors.values {
        _ = visitor.press("/language", on: "/", ["language": language.code], evenIfAbsent: true)
      }
      let isFirst = language == Language.allCases.first
      var links: [(link: String, page: Address)] = []
      for page in pages {
        guard let shown = visitors[page.role]?.get(page.path) else { continue }
        examine(shown, at: page.path, in: language)
        guard isFirst else { continue }
        try examineOnce(shown, at: page)
        links += shown.linksOfContent.map { ($0, page) }
      }
      if isFirst { pages += try follow(links, of: pages, in: language) }
    }
  }

  /// Requests the pages behind links, and returns those of the module, such as the page of a day.
  private mutating func follow(
    _ links: [(link: String, page: Address)], of pages: [Address], in language: Language
  ) throws -> [Address] {
    var seen = Dictionary(grouping: pages) { $0.role }.mapValues { Set($0.map { $0.path }) }
    var counts: [Role: Int] = [:]
    var further: [Address] = []
    for (link, page) in links {
      let path = String(link.prefix { $0 != "?" })
      let isOwn = path == "/\(module.id)" || path.hasPrefix("/\(module.id)/")
      let address = isOwn ? link : path
      guard seen[page.role, default: []].insert(address).inserted,
        !isOwn || counts[page.role, default: 0] < Self.mostLinks,
        let shown = visitors[page.role]?.get(address)
      else { continue }
      if shown.status >= 400 {
        failures.append("\(page.path) links to \(address), which answers \(shown.outcome)")
      }
      guard isOwn else { continue }
      counts[page.role, default: 0] += 1
      examine(shown, at: address, in: language)
      try examineOnce(shown, at: (address, page.role))
      further.append((address, page.role))
    }
    return further
  }

  private mutating func examine(_ shown: TestPage, at path: String, in language: Language) {
    if shown.status >= 500 || !shown.failures.isEmpty {
      let reason = shown.failures.isEmpty ? "" : ": \(shown.failures.joined(separator: "; "))"
      failures.append("GET \(path) fails in “\(language.code)”\(reason)")
    }
    for key in shown.missingWords {
      wordless[key, default: (path, [])].languages.insert(language.code)
    }
  }

  /// Examines what does not depend on the language.
  private mutating func examineOnce(_ shown: TestPage, at page: Address) throws {
    let now = try portal.moduleRows()
    for table in rows.tablesChanged(in: now) {
      failures.append("GET \(page.path) changes rows of \(table)")
    }
    rows = now
    if let tag = shown.escapedTag {
      failures.append("\(page.path) shows the markup <\(tag)> as text")
    }
    for file in shown.moduleFiles where visitors[page.role]?.get(file).status != 200 {
      failures.append("\(page.path) loads \(file), which `assets` does not list")
    }
    if page.role != .patient, readsNobody, shown.contains(ModuleContract.word) {
      failures.append(
        "\(page.path) shows to the role \(page.role.rawValue) what a patient typed, "
          + "but the privacy page says that nobody else reads it")
    }
  }

  /// True if the privacy page names no readers of what the module keeps, beside the person and
  /// administrators.
  private var readsNobody: Bool {
    module.personalData.kept.allSatisfy {
      ["privacy.seen-by-nobody", "privacy.seen-by-administrators"].contains($0.seenBy.key)
    }
  }
}

extension TestPage {
  /// The addresses of all links to the portal's pages.
  var links: [String] { Self.links(in: body[...]) }

  /// The addresses of the links outside the frame.
  fileprivate var linksOfContent: [String] {
    Self.links(in: body.firstRange(of: "<main").map { body[$0.lowerBound...] } ?? "")
  }

  private static func links(in html: Substring) -> [String] {
    html.split(separator: "<a ").dropFirst().compactMap { piece in
      let tag = piece.prefix { $0 != ">" }
      guard let start = tag.firstRange(of: "href=\"/") else { return nil }
      let address = tag[start.upperBound...].prefix { $0 != "\"" && $0 != "#" }
      return "/" + String(address).replacing("&amp;", with: "&")
    }
  }

  /// The addresses of the modules' files that the page loads.
  fileprivate var moduleFiles: [String] {
    body.matches(of: /"(\/assets\/modules[^"]+)"/).map { String($0.1) }
  }

  /// The name of a tag that the page shows as text; nil if there is none.
  fileprivate var escapedTag: String? {
    for piece in body.split(separator: "&lt;").dropFirst() {
      let name = piece.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      if Self.tags.contains(name) { return String(name) }
    }
    return nil
  }

  private static let tags: Set<Substring> = [
    "a", "b", "bdi", "br", "button", "dd", "div", "dl", "dt", "em", "form", "h2", "h3", "input",
    "li", "ol", "p", "section", "span", "strong", "svg", "table", "td", "th", "time", "tr", "ul",
  ]
}
