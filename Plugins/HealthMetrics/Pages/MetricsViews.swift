import PolyclinicCore

/// HTML that the pages of both kinds share.
extension MeasurementPages {
  /// Returns the tabs for the list and the chart.
  func tabs(isChart: Bool, _ context: Context) -> HTML {
    context.tabs(
      "tabs.label", [false, true], current: isChart,
      title: { isChart in isChart ? "tabs.chart" : "tabs.list" },
      to: { isChart in isChart ? chart.path : list.path })
  }

  /// Returns the links for import and export.
  func files(_ context: Context) -> [HTML] {
    [
      importLink(context), context.button("files.export", to: export.path, style: .plain),
    ]
  }

  func importLink(_ context: Context) -> HTML {
    context.button("files.import", to: upload.path, style: .secondary)
  }

  /// Returns the buttons below a measurement, for editing, in this style, and for deleting.
  func actions(
    for id: ID<Record>, editing style: HTML.ButtonStyle = [], _ context: Context
  ) -> HTML {
    """
    \(actions:
      context.button("metrics.edit", to: edit.path(id), style: style),
      context.button("metrics.delete", to: deletion.path(id), style: [.danger, .secondary]))
    """
  }
}

extension MetricsKind {
  /// Returns a notice with the number of entries imported a moment ago; nil otherwise.
  func imported(_ context: Context) -> HTML? {
    guard let count = Int(context.request.query["imported"]), count > 0 else { return nil }
    return context.notice(.outcome, Text("imported.\(rawValue)", count: count))
  }
}

extension Weight.Entry {
  /// Returns “72.5 kg” as it was measured, or converted with one decimal.
  func html(in shown: Weight.Unit, _ context: Context) -> HTML {
    let digits = shown == unit ? max(1, Formats.fractionDigits(of: value, atMost: 2)) : 1
    return shown.html(value(in: shown), digits: digits, context)
  }
}

extension Weight.Unit {
  /// Returns a weight in this unit.
  func html(_ value: Double, digits: Int, _ context: Context) -> HTML {
    let number = context.formats.number(value, fractionDigits: digits)
    return "\(context.text(Text("amount.\(rawValue)"), ["value": number]))"
  }
}

extension Physique {
  /// Returns a link to the height in the visitor's profile; nil if the person has entered it, and
  /// on the pages of another person.
  func heightHint(_ context: Context) throws -> HTML? {
    guard height == nil, try context.keys.person == context.signedIn().person else { return nil }
    return """
      <p class="hint">\(context.text("height.missing")) \
      <a href="/account/edit#height">\(context.text("height.add"))</a></p>
      """
  }
}
