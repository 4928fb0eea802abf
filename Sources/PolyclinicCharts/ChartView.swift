import PolyclinicCore

extension Chart {
  /// Returns the figure with the drawing and its legend; nil if there are no values. `id` is unique
  /// among the charts of the page.
  public func html(_ id: StaticString, _ context: Context) -> HTML? {
    guard let values else { return nil }
    let ticks = NumberTicks(covering: values, about: 5)
    guard let low = ticks.values.first, let high = ticks.values.last, low < high else { return nil }
    let drawing = ChartDrawing(chart: self, low: low, high: high)
    let bands = bands.compactMap { $0.within(low, high) }
    let times = TimeTicks(covering: span, in: context.formats.timeZone, atMost: 6)
    return """
      <figure class="chart"><svg role="img" aria-labelledby="\(id)-title \(id)-desc">\
      <title id="\(id)-title">\(title)</title><desc id="\(id)-desc">\(summary)</desc>\
      \(each: bands, drawing.band)\
      \(each: ticks.values, { drawing.row($0, context.formats.number($0, fractionDigits: ticks.fractionDigits)) })\
      \(each: times.moments, { drawing.column($0, times.label($0, context.formats)) })\
      \(each: lines.enumerated(), { drawing.line($0.element, $0.offset) })</svg>\(legend(bands))</figure>
      """
  }

  private func legend(_ bands: [Band]) -> HTML? {
    let named = bands.compactMap(\.name)
    guard lines.count > 1 || !named.isEmpty else { return nil }
    return """
      <figcaption>\(each: lines.enumerated(), { number, line in
        "<span class=\"key \(Self.style(number))\">\(line.name)</span> "
      })\(each: named, { "<span class=\"key band\">\($0)</span> " })</figcaption>
      """
  }

  static func style(_ number: Int) -> StaticString { number == 0 ? "first" : "second" }
}

/// The layout of a chart.
///
/// Lines are drawn in a square view box that is stretched over the plot. Letters and dots must not
/// be stretched, so they are placed outside of it, in percentages of the width and height.
private struct ChartDrawing {
  let chart: Chart
  let low: Double
  let high: Double

  // The plot area in hundredths of a percent of the figure. Its margins hold the labels.
  private static let (left, width, top, height) = (1_000, 8_800, 700, 8_200)
  /// The size of the stretched view box.
  private static let (columns, levels) = (4_000, 1_000)
  /// The number of buckets that a line is thinned over; more would not be visible on any screen.
  private static let buckets = 200
  /// The most points of a line for which each point gets a dot.
  private static let mostDots = 124

  private func share(_ moment: Instant) -> Double {
    let whole = Double(max(1, (chart.span.upperBound - chart.span.lowerBound).count))
    return Double((moment - chart.span.lowerBound).count) / whole
  }

  private func depth(_ value: Double) -> Double { (high - value) / (high - low) }

  private func x(_ moment: Instant) -> String {
    Self.percent(Self.left + Int((share(moment) * Double(Self.width)).rounded()))
  }

  private func y(_ value: Double) -> String { Self.percent(level(value)) }

  private func level(_ value: Double) -> Int {
    Self.top + Int((depth(value) * Double(Self.height)).rounded())
  }

  private static func percent(_ hundredths: Int) -> String {
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }

  func band(_ band: Chart.Band) -> HTML {
    let (top, bottom) = (level(band.range.upperBound), level(band.range.lowerBound))
    if top == bottom {
      return """
        <line class="aim" x1="0" x2="100%" y1="\(Self.percent(top))" y2="\(Self.percent(top))"/>
        """
    }
    return """
      <rect class="band" x="0" width="100%" y="\(Self.percent(top))" height="\(Self.percent(bottom - top))"/>
      """
  }

  /// Returns a horizontal grid line at a round number, labelled with the number.
  func row(_ value: Double, _ label: String) -> HTML {
    """
    <line class="grid" x1="0" x2="100%" y1="\(y(value))" y2="\(y(value))"/>\
    <text x="0" y="\(y(value))" dy="-4">\(label)</text>
    """
  }

  /// Returns a vertical grid line at the beginning of a day, month or year, and its label.
  func column(_ moment: Instant, _ label: String) -> HTML {
    let share = share(moment)
    let anchor: StaticString = share < 0.04 ? "start" : share > 0.94 ? "end" : "middle"
    let bottom = Self.percent(Self.top + Self.height)
    return """
      <line class="grid" x1="\(x(moment))" x2="\(x(moment))" y1="\(Self.percent(Self.top))" y2="\(bottom)"/>\
      <text x="\(x(moment))" y="100%" dy="-6" text-anchor="\(anchor)">\(label)</text>
      """
  }

  func line(_ line: Chart.Line, _ number: Int) -> HTML {
    let runs = chart.runs(line.points).map {
      Chart.thinned($0, over: chart.span, buckets: Self.buckets)
    }
    let lonely = runs.filter { $0.count == 1 }.flatMap(\.self)
    let dots = line.points.count <= Self.mostDots ? line.points : lonely
    let style = Chart.style(number)
    return """
      <svg x="\(Self.percent(Self.left))" y="\(Self.percent(Self.top))" width="\(Self.percent(Self.width))" \
      height="\(Self.percent(Self.height))" viewBox="0 0 \(Self.columns) \(Self.levels)" \
      preserveAspectRatio="none" overflow="visible">\
      \(each: runs.filter { $0.count > 1 }, { "<polyline class=\"\(style)\" points=\"\(path($0))\"/>" })</svg>\
      \(each: dots, { "<circle class=\"\(style)\" cx=\"\(x($0.at))\" cy=\"\(y($0.value))\" r=\"3\"/>" })
      """
  }

  private func path(_ points: [Chart.Point]) -> String {
    var path = ""
    path.reserveCapacity(points.count * 10)
    for point in points {
      if !path.isEmpty { path += " " }
      path += String(Int((share(point.at) * Double(Self.columns)).rounded()))
      path += ","
      path += String(Int((depth(point.value) * Double(Self.levels)).rounded()))
    }
    return path
  }
}
