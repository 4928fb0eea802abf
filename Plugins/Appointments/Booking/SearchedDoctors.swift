import PolyclinicCore

/// The list in which a visitor has found a doctor, as the steps of a booking carry it along.
struct SearchedDoctors {
  private static let list: Path = "/appointments/doctors"
  /// The names of the fields of its query.
  private static let names = [
    "q", "available", "specialization", "clinic", "on", "day", "language", "children", "near",
    "sort", "page",
  ]

  /// The query of the list; empty for the whole list.
  private(set) var query = Fields()

  init(in sent: Fields) {
    for name in Self.names where !sent[name].isEmpty { query.append(name, sent[name]) }
  }

  /// The path of the list; nil for the whole list.
  var path: Path? { query.pairs.isEmpty ? nil : Self.list.query(query) }
}
