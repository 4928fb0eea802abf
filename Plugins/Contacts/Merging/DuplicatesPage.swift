import PolyclinicCore

/// The contacts that may stand for one person, two by two.
struct DuplicatesPage {
  let likely: LikelyDuplicates
  /// That two were merged a moment ago, which can be undone.
  let notice: HTML?
  let context: Context

  /// The most that one page shows: those behind come when these are done.
  private static let mostShown = 50
  /// The most pairs that are counted.
  static let mostCounted = 1_000

  var page: Page {
    let content: HTML =
      likely.pairs.isEmpty
      ? """
      <section class="empty">\(context.icon(.check))<h2>\(context.text("merge.none"))</h2>\
      <p>\(context.text("merge.none.hint"))</p><p class="actions">\
      <a class="button secondary" href="/contacts">\(context.text("merge.back"))</a></p></section>
      """
      : """
      <p class="lead">\(context.text("merge.about"))</p>\
      <p class="count" role="status">\(count)</p>\
      <ul class="rows">\(each: likely.pairs.prefix(Self.mostShown), row)</ul>
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
    return """
      <li><a href="\(path.query(query))"><span><strong>\(names)</strong>\
      <span class="secondary-text">\(reasons(of: likely))</span></span></a></li>
      """
  }

  /// “Same name, same phone number”.
  private func reasons(of likely: LikelyDuplicates.Likely) -> String {
    let words: [Text] = ["merge.same-name", "merge.same-phone", "merge.same-email"]
    return likely.kinds.map(\.rawValue).sorted().map { context.text(words[$0]) }
      .joined(separator: " · ")
  }
}
