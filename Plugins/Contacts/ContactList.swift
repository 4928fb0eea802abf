import PolyclinicCore

/// The list of contacts, or what a search found in it.
struct ContactList {
  let found: Slice<Contact.Entry>
  /// What was searched for, as it was typed; empty for the whole list.
  let words: String
  let context: Context
  /// The one that was deleted a moment ago.
  var deleted: (id: ID<Contact>, name: String)?

  var page: Page {
    let isSearch = !words.isEmpty
    let isEmpty = found.isEmpty && !isSearch
    let new: HTML = """
      <a class="button" href="/contacts/new">\(context.text("list.new"))</a>
      """
    return Page(
      "list.title", "\(notice)\(isEmpty ? nothingYet : search + results)",
      actions: isEmpty ? nil : new, scripts: isEmpty ? [] : ["search.js"])
  }

  private var search: HTML {
    """
    <form class="search" role="search" method="get" action="/contacts" data-live>\
    <label for="q">\(context.text("list.search.label"))</label>\
    <input type="search" id="q" name="q" value="\(words)" autocomplete="off" maxlength="200" \
    enterkeyhint="search"><button class="button secondary">\(context.text("list.search"))</button>\
    </form>
    """
  }

  private var results: HTML {
    if found.isEmpty {
      return """
        <div id="results"><p class="count" role="status">\(context.text("list.nothing-found"))</p>\
        <section class="empty"><p>\(context.text("list.nothing-found.hint"))</p>\
        <p class="actions"><a class="button secondary" href="/contacts">\
        \(context.text("list.search.clear"))</a></p></section></div>
        """
    }
    let count: Text = words.isEmpty ? "list.count" : "list.found"
    return """
      <div id="results"><p class="count" role="status">\
      \(context.text(count, count: found.total))</p>\
      <ul class="rows">\(each: found.entries, row)</ul>\(pages)</div>
      """
  }

  private func row(_ entry: Contact.Entry) -> HTML {
    let name = entry.name.string
    let reach: HTML? =
      entry.reach.isEmpty
      ? nil
      : """
      <span class="secondary-text"><bdi>\(String(decoding: entry.reach, as: UTF8.self))</bdi></span>
      """
    return """
      <li><a href="/contacts/\(entry.id)"><span class="with-initial">\
      <span class="initial" aria-hidden="true">\(name.prefix(1))</span>\
      <span><strong><bdi>\(name)</bdi></strong>\(reach)</span></span></a></li>
      """
  }

  private var pages: HTML? {
    if found.pageCount == 1 { return nil }
    let place = context.text(
      "list.page",
      [
        "page": context.formats.number(found.page),
        "pages": context.formats.number(found.pageCount),
      ])
    let previous: HTML? = found.page > 1 ? turn(to: found.page - 1, "prev", "list.previous") : nil
    let next: HTML? =
      found.page < found.pageCount ? turn(to: found.page + 1, "next", "list.next") : nil
    return """
      <nav class="pages" aria-label="\(context.text("list.pages"))">\(previous)\
      <span>\(place)</span>\(next)</nav>
      """
  }

  private func turn(to page: Int, _ rel: StaticString, _ label: Text) -> HTML {
    let list: Path = "/contacts"
    let number = String(page)
    let path = list.query(words.isEmpty ? ["page": number] : ["q": words, "page": number])
    return """
      <a class="button secondary" rel="\(rel)" href="\(path)">\(context.text(label))</a>
      """
  }

  private var nothingYet: HTML {
    """
    <section class="empty"><h2>\(context.text("list.empty"))</h2>\
    <p>\(context.text("list.empty.hint"))</p>\
    <p class="actions"><a class="button" href="/contacts/new">\
    \(context.text("list.first"))</a></p></section>
    """
  }

  private var notice: HTML? {
    guard let deleted else { return nil }
    return """
      <div class="notice success" role="status">\
      <p>\(context.text("list.deleted", ["name": deleted.name]))</p>\
      <form method="post" action="/account/deleted/restore">\(context.hiddenFields())\
      <input type="hidden" name="module" value="\(context.module.rawValue)">\
      <input type="hidden" name="item" value="\(deleted.id)">\
      <button class="button secondary small">\(context.text("list.undo"))</button></form></div>
      """
  }
}
