import PolyclinicCore

/// A module as installed here. It is a class, because each request passes it on many times.
package final class InstalledModule: Sendable {
  package let module: any Module
  package let settings: Portal.Settings
  package let phrasebook: Phrasebook
  package let isBuiltIn: Bool
  package let isEnabled: Bool
  /// The years for which its ``PersonalData/Retention`` keeps records of erased people; 0 if it
  /// keeps none.
  package let retentionYears: Int
  /// Its index in ``Installation/members``.
  package let number: Int
  /// The module's links for the frame of every page. Links and ``cards`` are read once, not per
  /// request.
  package let links: [Link]
  /// The resolved path of each link's area, in the order of ``links``.
  let linkPlaces: [String]
  package let cards: [Card]
  /// The path of each of the module's assets, by name, with the content's hash.
  package let assetPaths: [String: Path]
  /// True if a setting of the administrator opens some of its pages to everyone.
  package let isOpened: Bool

  package init(
    _ module: any Module, _ settings: Portal.Settings, _ phrasebook: Phrasebook, isBuiltIn: Bool,
    isEnabled: Bool, retentionYears: Int, number: Int
  ) {
    self.module = module
    self.settings = settings
    self.phrasebook = phrasebook
    self.isBuiltIn = isBuiltIn
    self.isEnabled = isEnabled
    self.retentionYears = module.retention == nil ? 0 : retentionYears
    self.number = number
    let links = module.links
    self.links = links
    linkPlaces = links.map { $0.area.resolved(in: module.id).description }
    cards = module.cards
    assetPaths = Dictionary(
      module.assets.map { asset in
        let folder: Path = "/assets/modules/\(module.id.rawValue)"
        return (
          asset.name, Assets.path(of: asset.name, below: folder, hashing: asset.content ?? [])
        )
      }, uniquingKeysWith: { one, _ in one })
    isOpened = module.routes.contains {
      if case .everyoneWhere = $0.access { $0.access.isOpen(under: settings) } else { false }
    }
  }
}

/// An error in the modules' declarations. The description tells the developer the contradiction.
struct InstallationError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
