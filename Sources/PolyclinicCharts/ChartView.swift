import PolyclinicCore

extension Chart {
  /// Returns the figure with the drawing and its legend; nil if there are no values. `id` is unique
  /// among the charts of the page.
  public func html(_ id: StaticString, _ context: Context) -> HTML? {
    guard let values else { return nil }
    let ticks = NumberTicks(covering: values, about: 5)
    guard let low = ticks.values.first, let high = ticks.values.last, low < high else { return nil }
    let drawing = ChartDrawing(
      chart: self, low: low, high: high, id: id,
      isRightToLeft: context.formats.language == .hebrew)
    let bands = bands.compactMap { $0.within(low, high) }
    let times = TimeTicks(covering: span, in: context.formats.timeZone, atMost: 8)
    let numbers = ticks.values.map { value in
      (value, context.formats.number(value, fractionDigits: ticks.fractionDigits))
    }
    let isLong = numbers.contains { $0.1.count > 5 }
    let limits = bars.compactMap(\.limit)
    let rows = numbers.filter { number, _ in
      limits.allSatisfy { drawing.areApart(Double($0), number) }
    }
    return """
      <figure class="chart\(kind?.style)\(marks.isEmpty ? "" : " marked")\(isLong ? " long" : "")\
      \(limits.isEmpty ? "" : " judged")\(hasAverages ? " averaged" : "")">\
      \(heading)\(readout)<svg role="img" aria-labelledby="\(id)-title" \
      aria-describedby="\(id)-desc">\
      <title id="\(id)-title">\(title)</title><desc id="\(id)-desc">\(summary)</desc>\
      \(drawing.patterns)\(each: bands.enumerated(), { drawing.band($0.element, $0.offset) })\
      \(each: rows, drawing.row)\(each: limits, drawing.limit)\(drawing.unit)\
      \(drawing.columns(times, context.formats))\
      \(each: readings, drawing.hit)\(each: levels, drawing.level)\
      \(each: bars.enumerated(), { drawing.bars($0.element, $0.offset) })\
      \(each: lines.enumerated(), { drawing.line($0.element, $0.offset) })\
      \(drawing.names(of: bands))\(drawing.marks)</svg>\(legend(bands))</figure>
      """
  }

  /// The style sheet of charts, and the script that shows the other sentences of the readout: for
  /// the `assets` of a page with a chart.
  public static let assets = [style, Page.Asset(www: "scripts/chart.js")]
  /// The style sheet alone, for a page whose charts are only printed.
  public static let style = Page.Asset(www: "styles/chart.css")

  /// The sentence about the whole chart, which the script replaces by that of a time.
  private var readout: HTML? {
    overall.map { "<p class=\"readout\" aria-live=\"polite\">\($0)</p>" }
  }

  private func legend(_ bands: [Band]) -> HTML? {
    let series = hasAverages ? bars.map(\.name) : lines.map(\.name) + bars.map(\.name)
    let shape: HTML? = bars.isEmpty ? nil : bars.contains(where: \.haveDots) ? " dot" : " bar"
    let named = bands.enumerated().filter { $0.element.name != nil }
    let trend = hasAverages ? lines.first?.name : nil
    let averages = levels.compactMap(\.name)
    guard series.count > 1 || !named.isEmpty || !averages.isEmpty || note != nil else { return nil }
    return """
      <figcaption>\(each: series.enumerated(), { number, name in
        "<span class=\"key \(Self.style(number))\(shape)\">\(name)</span> "
      })\(each: named, { number, band in
        "<span class=\"key band \(style(ofBand: number))\">\(band.name ?? "")</span> "
      })\
      \(trend.map { "<span class=\"key\">\($0)</span> " })\(limit.map { "<span class=\"key limit\">\($0)</span> " })\
      \(each: averages, { "<span class=\"key average\">\($0)</span> " })\
      \(note.map { "<span class=\"note\">\($0)</span>" })</figcaption>
      """
  }

  /// True if the lines are the averages of the bars.
  private var hasAverages: Bool { !bars.isEmpty && lines.contains(where: \.areAverages) }

  /// True if two bands have names, so that each needs its own look.
  var tellsBandsApart: Bool { bands.count { $0.name != nil } > 1 }

  /// Returns the style that tells one of two bands from the other; others need none.
  func style(ofBand number: Int) -> StaticString { tellsBandsApart ? Self.style(number) : "" }

  static func style(_ number: Int) -> StaticString { number == 0 ? "first" : "second" }
}
