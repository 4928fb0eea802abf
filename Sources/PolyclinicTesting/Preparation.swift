import PolyclinicCore
import PolyclinicWeb
import Synchronization

// A process reads catalogs and static files once for all of its test portals, because reading them
// takes half of a portal's start.

extension Phrasebook {
  private static let prepared = Mutex<[(catalog: Catalog, phrasebook: Phrasebook)]>([])

  /// Returns the phrasebook of a catalog. All calls for one catalog have the same `shared` one.
  static func prepared(of catalog: Catalog, after shared: Phrasebook?) throws -> Phrasebook {
    // The bytes of a module's catalog are one array, so that comparing them costs nothing.
    if let known = prepared.withLock({ $0.first { $0.catalog == catalog }?.phrasebook }) {
      return known
    }
    let phrasebook = try Phrasebook.read(catalog, after: shared)
    prepared.withLock { $0.append((catalog, phrasebook)) }
    return phrasebook
  }
}

extension Assets {
  private static let prepared = Mutex<[String: Assets]>([:])

  /// Returns the static files in a directory.
  static func prepared(in directory: String) throws -> Assets {
    if let known = prepared.withLock({ $0[directory] }) { return known }
    let read = try Assets(directory: directory)
    prepared.withLock { $0[directory] = read }
    return read
  }
}
