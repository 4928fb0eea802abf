extension Context {
  /// Returns the part of a page that stands in place of a list with nothing in it: an icon, a
  /// heading, a sentence, further content, and the next steps.
  ///
  /// ```swift
  /// context.emptyState(
  ///   .people, "list.empty", hint: "list.empty.hint",
  ///   actions: context.button("list.first", to: "/contacts/new"))
  /// ```
  public func emptyState(
    _ icon: Icon, _ title: Text? = nil, hint: Text? = nil, content: HTML? = nil,
    actions: HTML?...
  ) -> HTML {
    let heading: HTML? = title.map { "<h2>\(text($0))</h2>" }
    let sentence: HTML? = hint.map { "<p>\(text($0))</p>" }
    return """
      <section class="empty">\(self.icon(icon))\(heading)\(sentence)\(content)\
      \(actions: actions)</section>
      """
  }
}
