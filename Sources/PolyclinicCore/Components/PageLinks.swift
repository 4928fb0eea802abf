extension Context {
  /// Returns links to the previous and the next page of a long list; nil if there is only one page.
  /// `path` returns the path of a page number.
  public func pageLinks(_ pagination: Page.Pagination, _ path: (Int) -> Path) -> HTML? {
    let (page, count) = (pagination.page, pagination.pageCount)
    if count == 1 { return nil }
    let previous: HTML? = page > 1 ? turn("pages.previous", "prev", to: path(page - 1)) : nil
    let next: HTML? = page < count ? turn("pages.next", "next", to: path(page + 1)) : nil
    let numbers = ["page": formats.number(page), "pages": formats.number(count)]
    return """
      <nav class="pages" aria-label="\(text("pages.label"))">\(previous)\
      <span>\(text("pages.position", numbers))</span>\(next)</nav>
      """
  }

  private func turn(_ label: Text, _ rel: StaticString, to path: Path) -> HTML {
    """
    <a class="button secondary" rel="\(rel)" href="\(path)">\(text(label))</a>
    """
  }
}
