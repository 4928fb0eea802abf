import PolyclinicCore

/// HTML that the pages of both kinds share.
enum MetricsViews {
  /// Returns the tabs for the list and the chart of a kind.
  static func tabs<Record>(
    _ pages: MeasurementPages<Record>, isChart: Bool, _ context: Context
  ) -> HTML {
    context.tabs(
      "tabs.label", [false, true], current: isChart,
      title: { isChart in isChart ? "tabs.chart" : "tabs.list" },
      to: { isChart in isChart ? pages.chart.path : pages.list.path })
  }

  /// Returns “72.5 kg” as it was measured, or converted with one decimal.
  static func weight(_ entry: Weight.Entry, in unit: Weight.Unit, _ context: Context) -> HTML {
    let digits = entry.unit == unit ? max(1, Formats.fractionDigits(of: entry.value, atMost: 2)) : 1
    return weight(entry.value(in: unit), digits: digits, unit, context)
  }

  static func weight(
    _ value: Double, digits: Int, _ unit: Weight.Unit, _ context: Context
  ) -> HTML {
    let number = context.formats.number(value, fractionDigits: digits)
    return "\(context.text(Text("amount.\(unit.rawValue)"), ["value": number]))"
  }

  /// Returns the links for import and export.
  static func files<Record>(_ pages: MeasurementPages<Record>, _ context: Context) -> [HTML] {
    [
      importLink(pages.upload.path, context),
      context.button("files.export", to: pages.export.path, style: .plain),
    ]
  }

  /// Returns a notice with the number of entries imported a moment ago; nil otherwise.
  static func imported(_ kind: MetricsKind, _ context: Context) -> HTML? {
    guard let count = Int(context.request.query["imported"]), count > 0 else { return nil }
    return context.notice(.outcome, Text("imported.\(kind.rawValue)", count: count))
  }

  /// Returns the details of a measurement, without those that are nil, and its buttons for editing
  /// and deleting. `next` is the main button in place of the one for editing.
  static func details<Record: Measurement>(
    _ facts: [(Text, HTML?)], besides: HTML? = nil, next: HTML? = nil, of id: ID<Record>,
    _ context: Context
  ) -> HTML {
    let (edit, deletion) = (Record.pages.edit.path(id), Record.pages.deletion.path(id))
    return """
      \(context.facts(facts.map { HTML.Fact($0, $1) }))\(besides)\
      \(actions:
        next, context.button("metrics.edit", to: edit, style: next == nil ? [] : .secondary),
        context.button("metrics.delete", to: deletion, style: [.danger, .secondary]))
      """
  }

  /// Returns a link to the height in the profile; nil if the person has entered it.
  static func heightHint(_ person: Physique, _ context: Context) -> HTML? {
    guard person.height == nil else { return nil }
    return """
      <p class="hint">\(context.text("height.missing")) \
      <a href="/account/edit#height">\(context.text("height.add"))</a></p>
      """
  }

  static func importLink(_ path: Path, _ context: Context) -> HTML {
    context.button("files.import", to: path, style: .secondary)
  }
}
