extension Context {
  /// Returns a labelled field of a form without a ``Form``, such as a filter. `content` is the
  /// input with this id, with its error.
  public func field(_ label: Text, id: String, _ content: HTML) -> HTML {
    "<div class=\"field\"><label for=\"\(id)\">\(text(label))</label>\(content)</div>"
  }

  /// Returns a labelled check box of a form without a ``Form``, such as a filter.
  public func checkBox(
    _ label: Text, name: String, value: StaticString = "1", isChecked: Bool,
    hint: Text? = nil
  ) -> HTML {
    let below: HTML? = hint.map { "<p class=\"hint\">\(text($0))</p>" }
    return """
      <div class="field check"><input type="checkbox" id="\(name)" name="\(name)" value="\(value)"\
      \(attribute: " checked", if: isChecked)><label for="\(name)">\(text(label))</label>\(below)</div>
      """
  }
}
