import PolyclinicCore

/// What the pages of both kinds have in common.
enum MetricsViews {
  /// The list and the chart of a kind, beside one another.
  static func tabs(_ kind: MetricsKind, isChart: Bool, _ context: Context) -> HTML {
    let here: HTML = " aria-current=\"page\""
    return """
      <nav class="segments" aria-label="\(context.text("tabs.label"))">\
      <a href="\(kind.path)"\(isChart ? nil : here)>\(context.text("tabs.list"))</a>\
      <a href="\(kind.path)/chart"\(isChart ? here : nil)>\
      \(context.text("tabs.chart"))</a></nav>
      """
  }

  /// “72.5 kg” as it was measured, or converted to one digit behind the separator.
  static func weight(_ entry: Weight.Entry, in unit: Weight.Unit, _ context: Context) -> HTML {
    let digits = entry.unit == unit ? max(1, Weight.digits(of: entry.value)) : 1
    return weight(entry.value(in: unit), digits: digits, unit, context)
  }

  static func weight(
    _ value: Double, digits: Int, _ unit: Weight.Unit, _ context: Context
  ) -> HTML {
    let number = context.formats.number(value, fractionDigits: digits)
    return "\(context.text(Text("amount.\(unit.rawValue)"), ["value": number]))"
  }

  /// Bringing a file in and taking one out.
  static func files(_ path: Path, _ context: Context) -> HTML {
    """
    <p class="actions">\(importLink("\(path)/import", context))\
    <a class="button secondary" href="\(path)/export.csv">\(context.text("files.export"))</a></p>\
    <p class="hint">\(context.text("files.columns"))</p>
    """
  }

  /// How many were taken in from a file a moment ago; nil at any other time.
  static func imported(_ kind: MetricsKind, _ context: Context) -> HTML? {
    guard let count = Int(context.request.query["imported"]), count > 0 else { return nil }
    let text = context.text(Text("imported.\(kind.rawValue)"), count: count)
    return "<div class=\"notice success\" role=\"status\"><p>\(text)</p></div>"
  }

  /// The known facts of a measurement, those that are nil left out, and what can be done with it at
  /// its path.
  static func details(
    _ facts: [(Text, HTML?)], besides: HTML? = nil, of path: Path, _ context: Context
  ) -> HTML {
    """
    <dl class="details">\(each: facts, { label, value in
      value.map { "<div><dt>\(context.text(label))</dt><dd>\($0)</dd></div>" } ?? HTML()
    })</dl>\(besides)<p class="actions"><a class="button" href="\(path)/edit">\(context.text("metrics.edit"))</a> \
    <a class="button danger secondary" href="\(path)/delete">\(context.text("metrics.delete"))</a></p>
    """
  }

  static func importLink(_ path: Path, _ context: Context) -> HTML {
    "<a class=\"button secondary\" href=\"\(path)\">\(context.text("files.import"))</a> "
  }
}
