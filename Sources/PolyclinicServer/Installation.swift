import PolyclinicCore

/// The modules of this portal, checked once, then immutable.
public struct Installation: Sendable {
  /// A module as it is installed here: one object, since each request passes it on many times.
  final class Member: Sendable {
    let module: any Module
    let settings: Settings
    let phrasebook: Phrasebook
    let isBuiltIn: Bool
    let isEnabled: Bool
    /// Its place in ``Installation/members``.
    let number: Int
    /// What the module lists for every page's frame and for the dashboard, read once.
    let links: [Link]
    /// Where the pages of each link stand.
    let linkPlaces: [String]
    let cards: [Card]
    /// True where an administrator's setting opens pages of it to everybody.
    let isOpened: Bool

    init(
      _ module: any Module, _ settings: Settings, _ phrasebook: Phrasebook, isBuiltIn: Bool,
      isEnabled: Bool, number: Int
    ) {
      self.module = module
      self.settings = settings
      self.phrasebook = phrasebook
      self.isBuiltIn = isBuiltIn
      self.isEnabled = isEnabled
      self.number = number
      let links = module.links
      self.links = links
      linkPlaces = links.map { $0.area.resolved(in: module.id).description }
      cards = module.cards
      isOpened = module.routes.contains {
        if case .everyoneWhere = $0.access { $0.access.isOpen(under: settings) } else { false }
      }
    }
  }

  /// All modules, the built-in ones first.
  let members: [Member]
  /// Those that are switched on.
  let enabled: [Member]
  let router: Router
  /// Where the modules' records stand in JSON.
  let api: APIDirectory
  /// The words that all modules share.
  let phrasebook: Phrasebook
  /// The words of each module, also of those that are off: what they have said is still read.
  let phrasebooks: [ModuleID: Phrasebook]
  /// What the modules that are on do for one another.
  let offers: Offers
  /// The most bytes that the files of one request may have, whichever page they are sent to.
  let largestFiles: Int
  private let landings: [Role: Path]

  /// Throws ``InstallationError`` or `CatalogError` when the modules' lists contradict one another.
  init(
    builtIn: [any Module], plugins: [any Module], isEnabled: (ModuleID) -> Bool,
    settings: (ModuleID) -> Settings
  ) throws {
    let shared = try Phrasebook(Catalog.shared + Catalog.server)
    phrasebook = shared
    let listed = builtIn.map { ($0, true) } + plugins.map { ($0, false) }
    members = try listed.enumerated().map { number, listed in
      let (module, isBuiltIn) = listed
      return Member(
        module, settings(module.id), try shared.preceded(by: module.catalog), isBuiltIn: isBuiltIn,
        isEnabled: isBuiltIn || isEnabled(module.id), number: number)
    }
    enabled = members.filter(\.isEnabled)
    phrasebooks = Dictionary(
      members.map { ($0.module.id, $0.phrasebook) }, uniquingKeysWith: { one, _ in one })
    try Self.check(members)
    try Self.checkOffers(of: members)
    landings = try Self.landings(of: members)
    offers = Offers(enabled.flatMap(\.module.offers))
    router = try Router(enabled)
    api = try APIDirectory(enabled, first: router.patterns.count)
    largestFiles = enabled.flatMap(\.module.routes).map(\.fileLimit).max() ?? 0
  }

  /// Where somebody with these roles arrives after signing in: the role with the most responsibility
  /// that has a page of its own decides.
  func landing(of roles: Set<Role>) -> Path {
    Role.allCases.reversed().lazy.filter(roles.contains).compactMap { landings[$0] }.first ?? "/"
  }

  /// A sentence in a language: in the words of the module that speaks it, else in the shared ones.
  func string(_ text: Text, in language: Language) -> String {
    (text.module.flatMap { phrasebooks[$0] } ?? phrasebook).string(text, in: language)
  }

  /// The cards that the visitor may see, those that are first for one of the visitor's roles before
  /// the others, each with its module.
  func cards(for visitor: Visitor) -> [(Card, Member)] {
    let seen = enabled.flatMap { member in
      member.cards.filter { $0.access.includes(visitor) }.map { ($0, member) }
    }
    let isFirst = { (card: Card) in card.first.map(visitor.roles.contains) ?? false }
    return seen.filter { isFirst($0.0) } + seen.filter { !isFirst($0.0) }
  }

  /// The schema's whole history, also that of modules that are switched off.
  var migrations: [(module: String, migrations: [Migration])] {
    members.map { ($0.module.id.rawValue, $0.module.migrations) }
  }

  private static func check(_ members: [Member]) throws {
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
      guard id.rawValue != "api" else {
        throw InstallationError("“/api” is the portal's own: call the module differently")
      }
      if !member.module.commands.isEmpty, RootCommand.names.contains(id.rawValue) {
        throw InstallationError(
          "“polyclinic \(id)” is the portal's own: call the module differently")
      }
      if let route = member.module.routes.first(where: { $0.pattern.hasPrefix("/") }),
        !member.isBuiltIn
      {
        throw InstallationError(
          "the module “\(id)” claims \(route.pattern): a module's paths are relative to its own")
      }
    }
  }

  /// The page each role lands on; of enabled modules only.
  private static func landings(of members: [Member]) throws -> [Role: Path] {
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

  /// Also of modules that are off: whoever switches one on must not stop the portal.
  private static func checkOffers(of members: [Member]) throws {
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

/// The modules' lists contradict one another; says how, for the developer.
struct InstallationError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
