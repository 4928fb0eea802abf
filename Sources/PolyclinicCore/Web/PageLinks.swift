extension Context {
  /// The way to the pages before and after one of a long list, at what `path` makes of their numbers;
  /// nil where there is one page alone.
  public func pageLinks(_ pagination: Pagination, _ path: (Int) -> Path) -> HTML? {
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
