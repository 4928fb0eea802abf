extension Context {
  /// Returns a form that searches the page at `path`. The words are its query field `q`.
  ///
  /// - `hint` explains the words.
  /// - `filters` are further fields below them.
  /// - `isLive` searches while the visitor types, if the page has the script `search.js` and an
  ///   element `results`.
  /// - `posting` are the hidden fields of a form that is posted, so that the words stand in no
  ///   address.
  ///
  /// ```swift
  /// context.searchForm(at: "/contacts", "list.search.label", words: words, submit: "list.search")
  /// ```
  public func searchForm(
    at path: Path, _ label: Text, words: String = "", submit: Text,
    style: HTML.ButtonStyle = .secondary, hint: Text? = nil, filters: HTML? = nil,
    isLive: Bool = false, posting: HTML? = nil
  ) -> HTML {
    """
    <form class="search" role="search" method="\(posting == nil ? "get" : "post")" action="\(path)"\
    \(attribute: " data-live", if: isLive)>\(posting)<label for="q">\(text(label))</label>\
    <input type="search" id="q" name="q" value="\(words)" autocomplete="off" maxlength="200"\
    \(attribute: " aria-describedby=\"q-hint\"", if: hint != nil)>\(self.submit(submit, style: style))\
    \(hint.map { "<p class=\"hint filters\" id=\"q-hint\">\(text($0))</p>" })\
    \(filters.map { "<div class=\"filters\">\($0)</div>" })</form>
    """
  }

  /// Returns the number of entries above a list, which is announced after a search.
  ///
  /// ```swift
  /// context.resultCount(Text("contacts.count", count: found.pagination.total))
  /// ```
  public func resultCount(_ count: Text, unit: Text? = nil) -> HTML {
    """
    <p class="count" role="status">\(text(count))\(unit.map { " · \(text($0))" })</p>
    """
  }
}
