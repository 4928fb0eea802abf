extension HTML {
  /// The pale form of what will take the place of an empty state. A number is that of rows.
  public enum Ghosts: Sendable, ExpressibleByIntegerLiteral {
    /// Rows of a list.
    case rows(Int)
    /// The line of a chart.
    case chart

    /// Creates a number of rows.
    public init(integerLiteral count: Int) { self = .rows(count) }

    fileprivate var shapes: HTML {
      switch self {
      case .rows(let count): "\(each: 0..<count, { _ in "<i></i>" })"
      case .chart:
        """
        <svg viewBox="0 0 240 72"><path d="M4 14c24-6 32 22 56 18s28-14 48-2 32 18 56 14 40 20 72 20"/></svg>
        """
      }
    }
  }
}

extension Context {
  /// Returns the part of a page that stands in place of a list with nothing in it: a picture, a
  /// heading, a sentence, further content, and the next steps.
  ///
  /// The picture is the scene of tiles that belongs to the icon. The last part, `ghosts`, is a number
  /// of pale rows or a pale chart, which shows the form of the future content.
  ///
  /// ```swift
  /// context.emptyState(
  ///   .people, "list.empty", hint: "list.empty.hint", ghosts: 2,
  ///   actions: context.button("list.first", to: "/contacts/new"))
  /// ```
  public func emptyState(
    _ icon: Icon, _ title: Text? = nil, hint: Text? = nil, content: HTML? = nil,
    ghosts: HTML.Ghosts = 0, actions: HTML?...
  ) -> HTML {
    let picture = scene(icon.scene)
    let heading: HTML? = title.map { "<h2>\(text($0))</h2>" }
    let sentence: HTML? = hint.map { "<p>\(text($0))</p>" }
    let shapes = ghosts.shapes
    let pale: HTML? =
      shapes.isEmpty ? nil : "<div class=\"ghosts\" aria-hidden=\"true\">\(shapes)</div>"
    return """
      <section class="empty">\(picture)\(heading)\(sentence)\(content)\
      \(actions: actions)\(pale)</section>
      """
  }
}
