import PolyclinicCore
import PolyclinicWeb
import Synchronization

/// Catalogs and static files that a process reads once for all of its test portals, because reading
/// them takes half of a portal's start.
enum Preparation {
  private static let phrasebooks = Mutex<[(catalog: Catalog, phrasebook: Phrasebook)]>([])
  private static let assets = Mutex<[String: Assets]>([:])

  /// Returns the phrasebook of a catalog. All calls for one catalog have the same `shared` one.
  static func phrasebook(of catalog: Catalog, after shared: Phrasebook?) throws -> Phrasebook {
    // The bytes of a module's catalog are one array, so that comparing them costs nothing.
    if let known = phrasebooks.withLock({ $0.first { $0.catalog == catalog }?.phrasebook }) {
      return known
    }
    let phrasebook = try Phrasebook.read(catalog, after: shared)
    phrasebooks.withLock { $0.append((catalog, phrasebook)) }
    return phrasebook
  }

  /// Returns the static files in a directory.
  static func assets(in directory: String) throws -> Assets {
    if let known = assets.withLock({ $0[directory] }) { return known }
    let read = try Assets(directory: directory)
    assets.withLock { $0[directory] = read }
    return read
  }
}
