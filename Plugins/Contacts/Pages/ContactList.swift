import PolyclinicCore

/// The page with the list of contacts or the results of a search.
struct ContactList {
  let found: SealedIndex<Contact.Entry>.Slice
  /// The search text as it was typed; empty for the whole list.
  let words: String
  let context: Context
  /// The notice of a deletion a moment ago, with an undo button.
  let notice: HTML?
  /// True if the address book has likely duplicates.
  let offersMerging: Bool

  var page: Page {
    let isSearch = !words.isEmpty
    let isEmpty = found.isEmpty && !isSearch
    return Page(
      "list.title",
      isEmpty
        ? "\(notice)\(nothingYet)" : "\(notice)\(taken)\(merging)\(search)\(letters)\(results)",
      actions: isEmpty ? nil : actions, scripts: isEmpty ? [] : ["search.js"])
  }

  /// The notice with the result of an import a moment ago.
  private var taken: HTML? {
    let sent = context.request.query
    let counts = ["new", "updated", "omissions"].map { Int(sent[$0]) ?? 0 }
    guard sent.contains("new"), counts.allSatisfy((0...1_000_000).contains) else { return nil }
    let words: [Text] = ["taken.new", "taken.updated", "taken.omissions"]
    let said = zip(words, counts).filter { $1 > 0 }.map { context.text($0, count: $1) }
    return .notice(
      .outcome,
      "<p>\(said.isEmpty ? context.text("taken.nothing") : said.joined(separator: " "))</p>")
  }

  private var merging: HTML? {
    guard offersMerging else { return nil }
    return context.notice(
      .remark, "merge.offer",
      action: context.button(
        "merge.offer.look", to: "/contacts/merge", style: [.secondary, .small]))
  }

  /// The buttons beside the heading.
  private var actions: HTML {
    """
    \(actions:
      context.button("list.new", to: "/contacts/new"),
      context.button("list.import", to: "/contacts/import", style: .secondary),
      context.button("list.export", to: "/contacts/export.vcf", style: .plain))
    """
  }

  /// Links to the first names of each letter of the reader's alphabet; nil if the list is one page.
  private var letters: HTML? {
    guard words.isEmpty, found.pagination.pageCount > 1 else { return nil }
    return """
      <nav class="letters" aria-label="\(context.text("list.letters"))">\
      \(ContactLetters.links(in: context.language))</nav>
      """
  }

  private var search: HTML {
    context.searchForm(
      at: "/contacts", "list.search.label", words: words, submit: "list.search", isLive: true)
  }

  private var results: HTML {
    if found.isEmpty {
      return """
        <div id="results">\(context.resultCount("list.nothing-found"))\
        \(context.emptyState(
            .glass, hint: "list.nothing-found.hint",
            actions: context.button("list.search.clear", to: "/contacts", style: .secondary)))</div>
        """
    }
    let count = Text(words.isEmpty ? "list.count" : "list.found", count: found.pagination.total)
    return """
      <div id="results">\(context.resultCount(count))\
      \(rows: found.entries, row)\(pages)</div>
      """
  }

  private func row(_ entry: Contact.Entry) -> HTML {
    let mark: HTML? = entry.id == jumpedTo ? " id=\"at\"" : nil
    return """
      <li\(mark)><a href="/contacts/\(entry.id)"><span class="with-initial">\
      <span class="initial" aria-hidden="true">\(initialOf: entry.name)</span>\
      <span><strong><bdi>\(entry.name)</bdi></strong>\
      <span class="secondary-text"><bdi>\(utf8: entry.reach)</bdi></span></span></span></a></li>
      """
  }

  /// The contact that a letter led to.
  private var jumpedTo: ID<Contact>? { ID(context.request.query["at"]) }

  private var pages: HTML? {
    context.pageLinks(found.pagination) { page in
      let (list, number): (Path, String) = ("/contacts", String(page))
      return list.query(words.isEmpty ? ["page": number] : ["q": words, "page": number])
    }
  }

  private var nothingYet: HTML {
    context.emptyState(
      .people, "list.empty", hint: "list.empty.hint",
      actions: context.button("list.first", to: "/contacts/new"),
      context.button("list.import", to: "/contacts/import", style: .secondary))
  }
}
