import PolyclinicCore

/// The corrections of search words that find nothing.
enum SimilarSearches {
  /// The maximum number of corrections of a search.
  static let most = 3

  /// Returns links to the searches for the corrections at `path`; nil if there is none.
  static func html(_ corrections: [String], at path: Path, _ context: Context) -> HTML? {
    if corrections.isEmpty { return nil }
    let links = corrections.map { words in
      context.button(
        showing: "<bdi>\(words)</bdi>", to: path.query(["q": words]), style: .secondary)
    }
    return """
      <section class="panel"><h2>\(context.text("find.similar"))</h2>\(actions: links)</section>
      """
  }
}

extension ClinicFilter {
  /// Returns corrections of the words, which find no clinic; none if there are no words.
  func corrections(_ words: ClinicSearchWords?, in work: Work) throws -> [String] {
    guard let words else { return [] }
    let clinics = try FoundClinic.all(from: nil, in: work)
    return query.corrections(
      from: try clinics.searchTexts(words, in: work), limit: SimilarSearches.most)
  }
}

extension [FoundClinic] {
  /// Returns the texts by which the search finds the clinics, each with the words of its
  /// specializations.
  func searchTexts(_ words: ClinicSearchWords, in work: Work) throws -> [SearchText] {
    let departments = Dictionary(
      grouping: try Department.open(in: work), by: \.clinic)
    return map { found in
      let treated = Set((departments[found.clinic.id] ?? []).map(\.specialization))
      let parts = treated.compactMap { words.specializations[$0]?.string }.sorted()
      return SearchText(
        ([found.clinic.searchText(words).string] + parts).joined(separator: " "))
    }
  }
}
