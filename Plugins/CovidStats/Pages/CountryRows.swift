import PolyclinicCore
import Synchronization

/// The HTML rows of a list of countries.
///
/// The rows of the whole list depend only on the figures, not on the visitor. They are cached for
/// each order and language, because building them takes ten times as long as the rest of the page.
struct CountryRows: Sendable {
  let count: Int
  let html: HTML

  struct Arrangement: Hashable {
    let order: CountriesPage.Order
    let language: Language
  }

  private struct Shelf {
    var revision = 0
    var rows: [Arrangement: CountryRows] = [:]
  }

  private static let shelf = Mutex(Shelf())

  /// Returns the cached rows of this revision, or builds and caches them with `write`. Rethrows its
  /// error.
  static func kept(
    for arrangement: Arrangement, of revision: Int, _ write: () throws -> CountryRows
  ) rethrows -> CountryRows {
    if let rows = shelf.withLock({ $0.revision == revision ? $0.rows[arrangement] : nil }) {
      return rows
    }
    let rows = try write()
    shelf.withLock { shelf in
      if shelf.revision != revision { shelf = Shelf(revision: revision) }
      shelf.rows[arrangement] = rows
    }
    return rows
  }
}
