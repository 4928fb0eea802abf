extension Context {
  /// Returns links to the parts of a page or to the ranges of a chart, side by side, with the one
  /// that is shown marked.
  ///
  /// ```swift
  /// context.tabs("agenda.parts", Agenda.Part.allCases, current: part, title: \.title, to: path)
  /// ```
  public func tabs<Choice: Equatable>(
    _ label: Text, _ choices: [Choice], current: Choice, title: (Choice) -> Text,
    to path: (Choice) -> Path
  ) -> HTML {
    tabs(label, choices, current: current, content: { "\(text(title($0)))" }, to: path)
  }

  /// Returns links side by side whose titles are no texts of the catalog, such as numbers.
  public func tabs<Choice: Equatable>(
    _ label: Text, _ choices: [Choice], current: Choice?, content: (Choice) -> HTML,
    to path: (Choice) -> Path
  ) -> HTML {
    """
    <nav class="segments\(attribute: " many", if: choices.count > 3)" aria-label="\(text(label))">\
    \(each: choices, { choice in
      """
      <a href="\(path(choice))"\(attribute: " aria-current=\"page\"", if: choice == current)>\
      \(content(choice))</a>
      """
    })</nav>
    """
  }
}
