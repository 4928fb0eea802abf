import PolyclinicCore
import Synchronization

/// The rows of a list of countries, as they stand on the page.
///
/// Those of the whole list change with the figures alone and are everybody's, so they are written once for
/// each order and language: writing them takes ten times as long as the rest of the page.
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

  /// The rows that were written for this revision of the figures, else those that `write` writes now; throws
  /// what it throws.
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
