import PolyclinicCore

/// The list of contacts, or what a search found in it.
struct ContactList {
  let found: Slice<Contact.Entry>
  /// What was searched for, as it was typed; empty for the whole list.
  let words: String
  let context: Context
  /// That one was deleted a moment ago, and can be taken back.
  let notice: HTML?
  /// Whether some look alike.
  let offersMerging: Bool

  var page: Page {
    let isSearch = !words.isEmpty
    let isEmpty = found.isEmpty && !isSearch
    let new: HTML = """
      <a class="button" href="/contacts/new">\(context.text("list.new"))</a>
      """
    return Page(
      "list.title",
      isEmpty
        ? "\(notice)\(nothingYet)" : "\(notice)\(taken)\(merging)\(search)\(results)\(files)",
      actions: isEmpty ? nil : new, scripts: isEmpty ? [] : ["search.js"])
  }

  /// What a file has brought a moment ago.
  private var taken: HTML? {
    let sent = context.request.query
    let counts = ["new", "updated", "omissions"].map { Int(sent[$0]) ?? 0 }
    guard sent.contains("new"), counts.allSatisfy((0...1_000_000).contains) else { return nil }
    let words: [Text] = ["taken.new", "taken.updated", "taken.omissions"]
    let said = zip(words, counts).filter { $1 > 0 }.map { context.text($0, count: $1) }
    return """
      <div class="notice success" role="status">\
      <p>\(said.isEmpty ? context.text("taken.nothing") : said.joined(separator: " "))</p></div>
      """
  }

  private var merging: HTML? {
    guard offersMerging else { return nil }
    return """
      <div class="notice"><p>\(context.text("merge.offer"))</p>\
      <a class="button secondary small" href="/contacts/merge">\
      \(context.text("merge.offer.look"))</a></div>
      """
  }

  /// The ways in and out, below all that one comes for.
  private var files: HTML? {
    guard words.isEmpty else { return nil }
    return """
      <p class="actions"><a class="button plain small" href="/contacts/import">\
      \(context.text("list.import"))</a> <a class="button plain small" href="/contacts/export.vcf">\
      \(context.text("list.export"))</a></p>
      """
  }

  private var search: HTML {
    """
    <form class="search" role="search" method="get" action="/contacts" data-live>\
    <label for="q">\(context.text("list.search.label"))</label>\
    <input type="search" id="q" name="q" value="\(words)" autocomplete="off" maxlength="200">\
    <button class="button secondary">\(context.text("list.search"))</button>\
    </form>
    """
  }

  private var results: HTML {
    if found.isEmpty {
      return """
        <div id="results"><p class="count" role="status">\(context.text("list.nothing-found"))</p>\
        <section class="empty">\(context.icon(.glass))<p>\(context.text("list.nothing-found.hint"))</p>\
        <p class="actions"><a class="button secondary" href="/contacts">\
        \(context.text("list.search.clear"))</a></p></section></div>
        """
    }
    let count: Text = words.isEmpty ? "list.count" : "list.found"
    return """
      <div id="results"><p class="count" role="status">\
      \(context.text(count, count: found.pagination.total))</p>\
      <ul class="rows">\(each: found.entries, row)</ul>\(pages)</div>
      """
  }

  private func row(_ entry: Contact.Entry) -> HTML {
    """
    <li><a href="/contacts/\(entry.id)"><span class="with-initial">\
    <span class="initial" aria-hidden="true">\(initialOf: entry.name)</span>\
    <span><strong><bdi>\(entry.name)</bdi></strong>\
    <span class="secondary-text"><bdi>\(utf8: entry.reach)</bdi></span></span></span></a></li>
    """
  }

  private var pages: HTML? {
    context.pageLinks(found.pagination) { page in
      let (list, number): (Path, String) = ("/contacts", String(page))
      return list.query(words.isEmpty ? ["page": number] : ["q": words, "page": number])
    }
  }

  private var nothingYet: HTML {
    """
    <section class="empty">\(context.icon(.people))<h2>\(context.text("list.empty"))</h2>\
    <p>\(context.text("list.empty.hint"))</p>\
    <p class="actions"><a class="button" href="/contacts/new">\
    \(context.text("list.first"))</a> <a class="button secondary" href="/contacts/import">\
    \(context.text("list.import"))</a></p></section>
    """
  }
}
