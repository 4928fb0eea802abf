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
    let cards: [Card]

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
      links = module.links
      cards = module.cards
    }
  }

  /// All modules, the built-in ones first.
  let members: [Member]
  /// Those that are switched on.
  let enabled: [Member]
  let router: Router
  /// The words that all modules share.
  let phrasebook: Phrasebook
  /// The words of each module that is on.
  let phrasebooks: [ModuleID: Phrasebook]
  /// What the modules that are on do for one another.
  let offers: Offers

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
      enabled.map { ($0.module.id, $0.phrasebook) }, uniquingKeysWith: { one, _ in one })
    try Self.check(members)
    try Self.checkOffers(of: members)
    offers = Offers(enabled.flatMap(\.module.offers))
    router = try Router(enabled)
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
      if let setting = member.module.settings.first(where: { !$0.isSound }) {
        throw InstallationError(
          "the module “\(id)” declares the setting “\(setting.key)” with a key or default that is not "
            + "of its kind")
      }
      if let route = member.module.routes.first(where: { $0.pattern.hasPrefix("/") }),
        !member.isBuiltIn
      {
        throw InstallationError(
          "the module “\(id)” claims \(route.pattern): a module's paths are relative to its own")
      }
    }
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
