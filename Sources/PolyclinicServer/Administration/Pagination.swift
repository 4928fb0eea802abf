import PolyclinicCore

/// Which part of a long list a page shows; a page after the last is the last.
struct Pagination {
  static let length = 50

  /// From 1.
  let page: Int
  let total: Int
  var pages: Int { max(1, (total + Self.length - 1) / Self.length) }
  /// The places in the list, from 0.
  var range: Range<Int> { (page - 1) * Self.length..<min(page * Self.length, total) }

  init(page: Int, total: Int) {
    let last = max(1, (total + Self.length - 1) / Self.length)
    self.page = min(max(page, 1), last)
    self.total = total
  }

  /// The way to the pages before and after; nothing where there is one page alone.
  func links(_ context: Context, _ path: (Int) -> Path) -> HTML? {
    if pages == 1 { return nil }
    let previous: HTML? =
      page == 1
      ? nil
      : """
      <a class="button secondary" rel="prev" href="\(path(page - 1))">\
      \(context.text("pages.previous"))</a>
      """
    let next: HTML? =
      page == pages
      ? nil
      : """
      <a class="button secondary" rel="next" href="\(path(page + 1))">\
      \(context.text("pages.next"))</a>
      """
    let numbers = [
      "page": context.formats.number(page), "pages": context.formats.number(pages),
    ]
    return """
      <nav class="pages" aria-label="\(context.text("pages.label"))">\(previous)\
      <span>\(context.text("pages.position", numbers))</span>\(next)</nav>
      """
  }
}
