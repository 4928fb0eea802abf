import PolyclinicCore

/// The contract of what a guardian does for a person in care.
extension ModuleContract {
  /// As ``word``, added to the texts that are typed for the person in care.
  private static let wordInCare = "Qjkvabc"

  /// What a guardian stores for a person in care belongs to that person alone, and none of the
  /// person's pages depends on the guardian's own data. A guardian uses every route that the module
  /// declares for guardians.
  func guardiansMixPeople() throws -> [String] {
    let portal = try preparedPortal()
    let routes = try portal.moduleRoutes()
    let isForGuardians = routes.contains { route in
      route.methods.contains { route.guardianScope(for: $0) != nil }
    }
    guard isForGuardians else { return [] }
    let (anna, mia) = (try portal.register(), try portal.register())
    mia.guardian = try TestGuardian(anna, for: mia)
    let (before, unfilled) = (try OwnData(of: anna), try OwnData(of: mia))
    mia.mark = Self.wordInCare
    try fill(mia)
    let isCounted = try OwnData(of: mia).stored != unfilled.stored
    let pages = try pages(of: mia)
    var broken = try before.differences(from: OwnData(of: anna)).map {
      "what a guardian stores for a person in care changes \($0)"
    }
    if try !portal.hasViewLogged(of: mia, by: anna) {
      broken.append("the access log of a person in care does not name the guardian")
    }
    broken += pages.keys.filter { $0 != "/" }.sorted().compactMap { path in
      anna.get(path).contains(Self.wordInCare)
        ? "GET \(path) shows to a guardian, as their own, what a person in care stored" : nil
    }
    anna.mark = Self.word
    try fill(anna)
    let own = try OwnData(of: anna)
    if own.stored != before.stored, !isCounted {
      broken.append("what a guardian stores for a person in care is not counted as that person's")
    }
    broken += mia.refused.keys.filter { anna.refused[$0] == nil }.sorted().map {
      "POST \($0) is refused to a guardian of all rights, who may send it for themselves"
    }
    let later = try self.pages(of: mia)
    broken += pages.filter { later[$0.key] != $0.value }.keys.sorted().map {
      "GET \($0) for a person in care depends on what the guardian has stored for themselves"
    }
    if !broken.isEmpty { return broken }
    var inCare = try SecondPerson(mia, reaching: anna, whoTyped: Self.word)
    try inCare.tryEverything()
    return inCare.broken.map { "for a person in care, \($0)" }
      + (try own.differences(from: OwnData(of: anna)).map {
        "what a guardian does for a person in care changes \($0)"
      })
  }

  /// Returns the text and the links of each of a person's pages that guardians open, by path.
  private func pages(of person: TestVisitor) throws -> [String: String] {
    let portal = person.portal
    let owner = try portal.person(of: person)
    let numbers = try portal.moduleTables().reduce(into: Set<Int>()) { numbers, table in
      numbers.formUnion(try portal.numbers(of: owner, in: table).suffix(3))
    }
    let own = module.routes.filter { $0.methods.contains(.get) }.flatMap { route in
      route.pattern.contains("{")
        ? numbers.sorted().map { path(of: route, number: $0) } : [path(of: route)]
    }
    let sent = (["/"] + own).filter { person.guardian?.sends("GET", $0) == true }
    // The first page after a change, of the portal or of the module, tells of it once.
    for path in sent.prefix(2) { _ = person.get(path) }
    return Dictionary(sent.map { ($0, person.get($0).content) }) { first, _ in first }
  }
}

/// A person's rows of modules, and the storage that is counted as theirs.
private struct OwnData {
  private let rows: TableRows
  let stored: [Int]

  init(of visitor: TestVisitor) throws {
    let portal = visitor.portal
    let person = try portal.person(of: visitor)
    rows = try portal.moduleRows(of: person)
    stored = try portal.database.read {
      try $0.row(
        """
        SELECT coalesce(stored_bytes, 0), coalesce(stored_records, 0) FROM people
        WHERE id_person = \(person)
        """
      ) { [$0.int(0), $0.int(1)] } ?? []
    }
  }

  /// Returns what differs in later data, in words.
  func differences(from later: OwnData) -> [String] {
    rows.tablesChanged(in: later.rows).map { "the guardian's own rows of \($0)" }
      + (stored == later.stored ? [] : ["the storage that is counted as the guardian's"])
  }
}

extension TestPage {
  /// The status, the words and the links of the page's content.
  fileprivate var content: String {
    let links = main.all("a").compactMap { $0.attributes["href"] }
    return "\(status) \(location) \(text) \(links)"
  }
}

extension TestPortal {
  /// Returns true if a person's access log has an entry of a guardian.
  fileprivate func hasViewLogged(
    of person: TestVisitor, by guardian: TestVisitor
  ) throws -> Bool {
    let (owner, author) = (try self.person(of: person), try self.person(of: guardian))
    return try database.read {
      try $0.integer(
        """
        SELECT count(*) FROM access_log WHERE person = \(owner) AND author = \(author)
          AND reason = \(AccessReason.guardianship.rawValue) AND count > 0
        """)
    } ?? 0 > 0
  }
}
