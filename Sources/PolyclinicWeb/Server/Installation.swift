import PolyclinicCore

/// The modules of this portal. They are checked once, at initialization, and are immutable
/// afterwards.
public struct Installation: Sendable {
  /// All modules, the built-in ones first.
  package let members: [InstalledModule]
  /// The enabled modules.
  package let enabled: [InstalledModule]
  let router: Router
  /// The JSON API of the enabled modules, by path.
  let api: APIDirectory
  /// The style sheets and scripts of the enabled modules.
  package let assets: ModuleAssets
  /// The strings that all modules share.
  package let phrasebook: Phrasebook
  /// The strings of each module. Disabled modules are included, because their stored texts are
  /// still shown.
  package let phrasebooks: [ModuleID: Phrasebook]
  /// The capabilities that enabled modules offer to one another.
  package let offers: Offers
  /// The largest limit in bytes, over all pages, for the files of one request.
  let largestFiles: Int
  private let landings: [Role: Path]
  /// The title of each page that has an entry in the navigation, and of each module's first page.
  private let titles: [String: (text: Text, member: InstalledModule)]

  /// Throws ``InstallationError`` or `CatalogError` if the modules' declarations contradict one
  /// another. No module may have a command with the name of one of the portal's own `commands`.
  package init(
    builtIn: [any Module], plugins: [any Module], isEnabled: (ModuleID) -> Bool,
    settings: (ModuleID) -> Portal.Settings, clinic: Portal.Organization? = nil,
    retentionYears: (ModuleID) -> Int = { _ in 0 },
    commands: [String] = [], read: Phrasebook.Reading = Phrasebook.read(_:after:)
  ) throws {
    let shared = try read(Catalog.shared + Catalog.server, nil)
    phrasebook = shared
    let listed = builtIn.map { ($0, true) } + plugins.map { ($0, false) }
    members = try listed.enumerated().map { number, listed in
      let (module, isBuiltIn) = listed
      return InstalledModule(
        module, settings(module.id), try read(module.catalog, shared), isBuiltIn: isBuiltIn,
        isEnabled: isBuiltIn || isEnabled(module.id), retentionYears: retentionYears(module.id),
        number: number)
    }
    enabled = members.filter(\.isEnabled)
    assets = ModuleAssets(enabled, of: clinic)
    phrasebooks = Dictionary(
      members.map { ($0.module.id, $0.phrasebook) }, uniquingKeysWith: { one, _ in one })
    try Self.check(members, commands)
    try Self.checkOffers(of: members)
    landings = try Self.landings(of: members)
    titles = Self.titles(of: enabled)
    offers = Offers(enabled.flatMap(\.module.offers))
    router = try Router(enabled)
    api = try APIDirectory(enabled, first: router.patterns.count)
    largestFiles = enabled.flatMap(\.module.routes).map(\.fileLimit).max() ?? 0
  }

  /// Returns the page that a user with these roles lands on after signing in: the landing page of
  /// the role with the most responsibility that has one.
  package func landing(of roles: Set<Role>) -> Path {
    Role.allCases.reversed().lazy.filter(roles.contains).compactMap { landings[$0] }.first ?? "/"
  }

  /// The titles of the enabled modules, each in the words of its module.
  var moduleTitles: [ModuleID: Text] {
    Dictionary(
      uniqueKeysWithValues: enabled.map {
        ($0.module.id, $0.module.title.spoken(by: $0.module.id))
      })
  }

  /// Returns a path without its query. By bytes, because pages ask for many.
  private static func place(of path: Path) -> String {
    String(
      Substring(
        path.description.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }))
  }

  /// Returns the title of the page at a path, for links that lead back to it; nil if it is unknown.
  func title(of path: Path, in language: Language) -> String? {
    let place = Self.place(of: path)
    if let (text, member) = titles[place] { return member.phrasebook.string(text, in: language) }
    guard case .found(let found, _) = router.match(.get, place) else { return nil }
    return found.route.linkTitle.map {
      enabled[found.module].phrasebook.string($0, in: language)
    }
  }

  /// Returns a text in a language, from the strings of the module that it names or from the shared
  /// ones.
  package func string(_ text: Text, in language: Language) -> String {
    (text.module.flatMap { phrasebooks[$0] } ?? phrasebook).string(text, in: language)
  }

  /// Returns the cards that the visitor may see, each with its module: those declared first for one
  /// of the visitor's roles, from the role with the most responsibility down, and then the others by
  /// their rank.
  package func cards(for visitor: Visitor) -> [(Card, InstalledModule)] {
    let seen = enabled.flatMap { member in
      member.cards.filter {
        $0.access.includes(visitor)
          && member.module.guardianAccess.includes(visitor, of: member.module.id)
      }.map { ($0, member) }
    }
    let first = Role.allCases.reversed().filter(visitor.roles.contains).flatMap { role in
      seen.filter { $0.0.first == role }
    }
    let others = seen.filter { card, _ in !(card.first.map(visitor.roles.contains) ?? false) }
    return first
      + others.enumerated().sorted { one, other in
        (one.element.0.rank.rawValue, one.offset) < (other.element.0.rank.rawValue, other.offset)
      }.map(\.element)
  }

  /// The cards of the welcome page, each with its module.
  package var publicCards: [(Card, InstalledModule)] {
    enabled.flatMap { member in
      member.cards.filter { $0.access.isOpen(under: member.settings) }.map { ($0, member) }
    }
  }

  /// True if the path is a page that visitors may see who have not signed in.
  package func isOpen(_ path: Path) -> Bool {
    guard case .found(let place, _) = router.match(.get, Self.place(of: path)) else { return false }
    return place.route.isOpen(to: .get, under: enabled[place.module].settings)
  }

  /// Returns the part of a module that guardians use at a path below that of a person in care; nil
  /// if the path is not for guardians.
  private func guardianPlace(at path: String) -> GuardianPlace? {
    guard let place = router.place(at: path) else { return nil }
    if case .role = place.route.access { return nil }
    let module = enabled[place.module].module
    let access = place.route.guardianAccess ?? module.guardianAccess
    if case .nothing = access { return nil }
    return GuardianPlace(
      access: access, module: module.id, method: place.route.changes ? .post : .get)
  }

  private struct GuardianPlace {
    let access: GuardianAccess
    let module: ModuleID
    /// The method whose rights the page needs: a form is shown to those alone who may send it.
    let method: Request.Method

    func allows(_ inCare: PersonInCare) -> Bool {
      access.allows(method, to: inCare, of: module)
    }
  }

  /// Returns markup about a person in care, whose links lead below the person's address.
  package func markup(_ markup: HTML, about person: PersonInCare) -> HTML {
    markup.leading(below: Path(checked: person.prefix)) { isPage($0, of: person) }
  }

  /// True if a path has a page of a person: for a guardian also one that says which right lacks.
  func isPage(_ path: String, of person: PersonInCare) -> Bool {
    switch person.rights {
    case .guardian:
      path.hasPrefix("\(APIDirectory.root)/") || guardianPlace(at: path) != nil
    case .reader: guardianPlace(at: path)?.allows(person) ?? false
    }
  }

  /// True if the visitor has the rights for a path; always on the visitor's own pages.
  func includes(_ visitor: Visitor, at path: Path) -> Bool {
    guard let inCare = visitor.inCare else { return true }
    return guardianPlace(at: path.description)?.allows(inCare) ?? false
  }

  /// True if a page about a person shows a button that leads to a path: not to a part for which the
  /// rights do not suffice, but to one that is not about the person.
  func offers(_ path: Path, to inCare: PersonInCare) -> Bool {
    guardianPlace(at: Self.place(of: path))?.allows(inCare) ?? true
  }

  /// Returns the modules' links that the visitor may use; nil is a visitor who has not signed in.
  package func links(for visitor: Visitor?) -> [(Link, InstalledModule)] {
    enabled.flatMap { member in
      member.links.filter { link in
        visitor.map {
          link.access.includes($0) && includes($0, at: link.path.resolved(in: member.module.id))
        } ?? link.access.isOpen(under: member.settings)
      }.map { ($0, member) }
    }
  }

  /// Returns the first steps of visitors with this access, each with its module; the plugins' steps
  /// precede the built-in ones.
  package func firstSteps(for access: Access) -> [(Link.FirstStep, InstalledModule)] {
    (enabled.filter { !$0.isBuiltIn } + enabled.filter(\.isBuiltIn)).flatMap { member in
      member.module.firstSteps.filter { $0.access == access }.map { ($0, member) }
    }
  }

  /// Returns the cards of the visitor's offline copy in the browser, each with its module.
  package func offlineCards(for visitor: Visitor) -> [(Card, InstalledModule)] {
    enabled.flatMap { member in
      member.module.offlineCards.filter { $0.access.includes(visitor) }.map { ($0, member) }
    }
  }

  /// The complete history of the schema, including disabled modules.
  package var migrations: [(module: String, migrations: [Migration])] {
    members.map { ($0.module.id.rawValue, $0.module.migrations) }
  }

  private static func check(_ members: [InstalledModule], _ commands: [String]) throws {
    var known: Set<ModuleID> = []
    for member in members {
      let id = member.module.id
      guard ModuleID.isValid(id.rawValue) else {
        throw InstallationError("“\(id)” is no module id: use lower-case words joined by hyphens")
      }
      guard known.insert(id).inserted else {
        throw InstallationError("two modules are called “\(id)”: remove one from the list")
      }
      if let problem = member.module.settings.lazy.compactMap(\.problem).first {
        throw InstallationError("the module “\(id)” declares \(problem)")
      }
      if let problem = member.module.assets.lazy.compactMap(\.problem).first
        ?? (member.assetPaths.count < member.module.assets.count ? "two assets of one name" : nil)
      {
        throw InstallationError("the module “\(id)” declares \(problem)")
      }
      guard id.rawValue != "api" else {
        throw InstallationError("“/api” is the portal's own: call the module differently")
      }
      if !member.module.commands.isEmpty, commands.contains(id.rawValue) {
        throw InstallationError(
          "“polyclinic \(id)” is the portal's own: call the module differently")
      }
      let others = member.module.routes.filter {
        Router.segments(of: $0, in: member).first.map(String.init) != id.rawValue
      }
      if let route = others.first, !member.isBuiltIn {
        throw InstallationError(
          "the module “\(id)” claims \(route.pattern): a module's paths begin with /\(id)")
      }
    }
  }

  private static func titles(
    of modules: [InstalledModule]
  ) -> [String: (text: Text, member: InstalledModule)] {
    var titles: [String: (text: Text, member: InstalledModule)] = [:]
    for member in modules {
      titles["/\(member.module.id)"] = (member.module.title, member)
      for link in member.links {
        titles[link.path.resolved(in: member.module.id).description] = (link.title, member)
      }
    }
    return titles
  }

  /// Returns the landing page of each role. Only pages of enabled modules are returned, but two
  /// modules that claim one role are an error even if one is disabled.
  private static func landings(of members: [InstalledModule]) throws -> [Role: Path] {
    var landings: [Role: (path: Path, isEnabled: Bool)] = [:]
    for member in members {
      for link in member.links {
        guard let role = link.landing else { continue }
        let path = link.path.resolved(in: member.module.id)
        if let other = landings.updateValue((path, member.isEnabled), forKey: role) {
          throw InstallationError(
            "both \(other.path) and \(path) are where a \(role.rawValue) arrives")
        }
      }
    }
    return landings.filter(\.value.isEnabled).mapValues(\.path)
  }

  /// Throws ``InstallationError`` if two modules offer the same capability. Disabled modules count
  /// too, so that an administrator who enables one cannot stop the portal.
  private static func checkOffers(of members: [InstalledModule]) throws {
    var known: [ObjectIdentifier: ModuleID] = [:]
    for member in members {
      for offer in member.module.offers {
        guard let other = known.updateValue(member.module.id, forKey: offer.capability) else {
          continue
        }
        throw InstallationError(
          "the modules “\(other)” and “\(member.module.id)” both offer \(offer.name): "
            + "one of them has to go from the list")
      }
    }
  }
}
