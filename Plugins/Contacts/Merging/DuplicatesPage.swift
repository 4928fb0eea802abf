import PolyclinicCore

/// The page with the pairs of likely duplicates.
struct DuplicatesPage {
  let likely: LikelyDuplicates
  /// The notice of a merge a moment ago, with an undo button.
  let notice: HTML?
  let context: Context

  /// The most pairs on one page. The next pairs appear after the user has decided these.
  private static let mostShown = 50
  /// The most pairs that are counted.
  static let mostCounted = 1_000

  var page: Page {
    let content: HTML =
      likely.pairs.isEmpty
      ? context.emptyState(
        .check, "merge.none", hint: "merge.none.hint",
        actions: context.button("merge.back", to: "/contacts", style: .secondary))
      : """
      <p class="lead">\(context.text("merge.about"))</p>\
      <p class="count" role="status">\(count)</p>\
      \(rows: likely.pairs.prefix(Self.mostShown), row)
      """
    return Page("merge.title", "\(notice)\(content)", back: "")
  }

  private var count: String {
    likely.isCutOff
      ? context.text(
        "merge.count.more", ["limit": context.formats.number(likely.pairs.count)])
      : context.text("merge.count", count: likely.pairs.count)
  }

  private func row(_ likely: LikelyDuplicates.Likely) -> HTML {
    let query: KeyValuePairs = [
      "one": likely.pair.one.description, "other": likely.pair.other.description,
    ]
    let names: HTML =
      likely.names.one == likely.names.other
      ? "<bdi>\(likely.names.one)</bdi>"
      : "<bdi>\(likely.names.one)</bdi>, <bdi>\(likely.names.other)</bdi>"
    let path: Path = "/contacts/merge"
    return .row(to: path.query(query), "\(names)", detail: "\(reasons(of: likely))")
  }

  /// The reasons of a pair: “Same name · Same phone number”.
  private func reasons(of likely: LikelyDuplicates.Likely) -> String {
    let words: [Text] = ["merge.same-name", "merge.same-phone", "merge.same-email"]
    return likely.kinds.map(\.rawValue).sorted().map { context.text(words[$0]) }
      .joined(separator: " · ")
  }
}
