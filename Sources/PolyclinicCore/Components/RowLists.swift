extension HTML {
  /// Returns a row that is one wide link; for `\(rows:)`.
  ///
  /// `mark` is a badge after the title, `detail` a quieter line below it, `lead` an icon, a letter
  /// or a number in a tile before both. The tile has the colour of `kind`; by default that of
  /// the page.
  ///
  /// ```swift
  /// HTML.row(to: "/record/\(id)", "<bdi>\(vaccine)</bdi>", detail: "\(formats.date(day))")
  /// ```
  public static func row(
    to path: Path, _ title: HTML, mark: HTML? = nil, detail: HTML? = nil, lead: HTML? = nil,
    kind: Icon.Kind? = nil
  ) -> HTML {
    row(to: path, content: words(title, mark, detail), lead: lead, kind: kind)
  }

  /// Returns a row that is one wide link with content of its own; for `\(rows:)`.
  public static func row(
    to path: Path, content: HTML, lead: HTML? = nil, kind: Icon.Kind? = nil
  ) -> HTML {
    "<li><a href=\"\(path)\">\(beside(lead, of: kind, content))</a></li>"
  }

  /// Returns a row with buttons of its own beside its title; for `\(rows:)`.
  ///
  /// `mark` is a badge after the title, `detail` a quieter line below it, `lead` what stands in a
  /// tile before both, of the colour of `kind`.
  public static func row(
    _ title: HTML, mark: HTML? = nil, detail: HTML? = nil, lead: HTML? = nil,
    kind: Icon.Kind? = nil, actions: HTML?...
  ) -> HTML {
    item(beside(lead, of: kind, words(title, mark, detail)), actions)
  }

  /// Returns a row with content of its own and buttons beside it; for `\(rows:)`.
  public static func row(content: HTML, actions: HTML?...) -> HTML {
    row(content: content, actions: actions)
  }

  /// Returns a row with content of its own and any number of buttons beside it; for `\(rows:)`.
  public static func row(content: HTML, actions: [HTML?]) -> HTML {
    item("<div>\(content)</div>", actions)
  }

  private static func item(_ content: HTML, _ actions: [HTML?]) -> HTML {
    "<li><div class=\"item\">\(content)\(actions: actions)</div></li>"
  }

  private static func beside(_ lead: HTML?, of kind: Icon.Kind? = nil, _ content: HTML) -> HTML {
    guard let lead else { return "<span>\(content)</span>" }
    return """
      <span class="with-initial"><span class="initial\(kind?.style)">\(lead)</span>\
      <span>\(content)</span></span>
      """
  }

  private static func words(_ title: HTML, _ mark: HTML?, _ detail: HTML?) -> HTML {
    let below: HTML? = detail.map { "<span class=\"secondary-text\">\($0)</span>" }
    let beside: HTML? = mark.map { $0.isEmpty ? $0 : " \($0)" }
    return "<strong>\(title)</strong>\(beside)\(below)"
  }
}

extension HTML.StringInterpolation {
  /// Appends a list in a frame. `row` returns the row of each element, in order; `style` is a further
  /// class, after a space.
  ///
  /// ```swift
  /// "\(rows: found.entries, row)"
  /// ```
  // Inlinable, so that a list is compiled for its own kind of elements.
  @inlinable
  public mutating func appendInterpolation<Elements: Sequence>(
    rows elements: Elements, style: StaticString = "",
    _ row: (Elements.Element) throws -> HTML
  ) rethrows {
    appendLiteral("<ul class=\"rows")
    appendLiteral(style)
    appendLiteral("\">")
    try appendInterpolation(each: elements, row)
    appendLiteral("</ul>")
  }

  /// Appends a list in a frame with these rows; `style` is a further class, after a space.
  public mutating func appendInterpolation(rows: [HTML], style: StaticString = "") {
    appendInterpolation("<ul class=\"rows\(style)\">\(rows)</ul>" as HTML)
  }

  /// Appends a list in a frame whose order has a meaning, such as a history.
  public mutating func appendInterpolation(orderedRows rows: [HTML]) {
    appendInterpolation("<ol class=\"rows\">\(rows)</ol>" as HTML)
  }
}

extension Context {
  /// Returns the words about a link that nobody has used yet, and the button that cancels it.
  public func content(of link: Portal.UnusedLink) -> HTML {
    let cancel = link.cancelling.map {
      button($0.label, posts: $0.path, with: $0.fields, style: [.plain, .danger, .small])
    }
    return "<p class=\"secondary-text\">\(text(link.words))</p>\(actions: cancel)"
  }
}
