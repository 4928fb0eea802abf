extension Context {
  /// Returns the part of a page that stands in place of a list with nothing in it: a picture, a
  /// heading, a sentence, further content, and the next steps.
  ///
  /// The picture is the scene of tiles that belongs to the icon. The last thing is a number of pale
  /// rows, `ghosts`, which show the form of a future list.
  ///
  /// ```swift
  /// context.emptyState(
  ///   .people, "list.empty", hint: "list.empty.hint", ghosts: 2,
  ///   actions: context.button("list.first", to: "/contacts/new"))
  /// ```
  public func emptyState(
    _ icon: Icon, _ title: Text? = nil, hint: Text? = nil, content: HTML? = nil,
    ghosts: Int = 0, actions: HTML?...
  ) -> HTML {
    let picture = scene(icon.scene)
    let heading: HTML? = title.map { "<h2>\(text($0))</h2>" }
    let sentence: HTML? = hint.map { "<p>\(text($0))</p>" }
    let rows: HTML? =
      ghosts == 0
      ? nil
      : "<div class=\"ghosts\" aria-hidden=\"true\">\(each: 0..<ghosts, { _ in "<i></i>" })</div>"
    return """
      <section class="empty">\(picture)\(heading)\(sentence)\(content)\
      \(actions: actions)\(rows)</section>
      """
  }
}
