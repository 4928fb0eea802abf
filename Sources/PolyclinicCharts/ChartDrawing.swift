import PolyclinicCore

/// The layout of a chart.
///
/// Lines are drawn in a square view box that is stretched over the plot. Letters and dots must not
/// be stretched, so they are placed outside of it, in percentages of the width and height.
struct ChartDrawing {
  let chart: Chart
  let low: Double
  let high: Double
  /// The id of the chart, which begins those of its patterns.
  let id: StaticString
  let isRightToLeft: Bool

  // The plot area in hundredths of a percent of the drawing. The numbers and the latest values
  // stand beside the drawing.
  static let (width, top, height) = (10_000, 900, 8_100)
  /// The size of the stretched view box.
  private static let (columns, levels) = (4_000, 1_000)
  /// The number of buckets that a line is thinned over; more would not be visible on any screen.
  private static let buckets = 200
  /// The most points of a line for which each point gets a dot.
  private static let mostDots = 124
  /// The most bars whose dots are large.
  private static let mostLargeDots = 31

  func share(_ moment: Instant) -> Double {
    let whole = Double(max(1, (chart.span.upperBound - chart.span.lowerBound).count))
    return Double((moment - chart.span.lowerBound).count) / whole
  }

  /// Returns the distance from the top as a part of the plot.
  func depth(_ value: Double) -> Double { (high - value) / (high - low) }

  /// Returns true if labels at these values of the axis do not touch each other, even in print.
  func areApart(_ one: Double, _ other: Double) -> Bool {
    abs(depth(one) - depth(other)) * LabelPlaces.Size.printed.height >= 12
  }

  private func x(_ moment: Instant) -> String { Self.percent(hundredths(moment)) }

  private func hundredths(_ moment: Instant) -> Int {
    Int((share(moment) * Double(Self.width)).rounded())
  }

  func y(_ value: Double) -> String { Self.percent(level(value)) }

  func level(_ value: Double) -> Int {
    Self.top + Int((depth(value) * Double(Self.height)).rounded())
  }

  static func percent(_ hundredths: Int) -> String {
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }

  /// The values at which a thin line crosses the whole chart.
  var lineValues: [Double] {
    chart.levels.map(\.value) + chart.bars.compactMap { $0.limit.map(Double.init) }
      + chart.bands.filter { $0.range.lowerBound == $0.range.upperBound }.map(\.range.lowerBound)
  }

  /// The side of a point on which a label stands.
  enum Side { case left, centre, right }

  /// Returns the side of a label of the time axis, so that it does not stand out of the chart.
  static func side(at share: Double) -> Side {
    share < 0.04 ? .right : share > 0.94 ? .left : .centre
  }

  /// Returns the `text-anchor` of a label. The start of text from right to left is its right end.
  func anchor(_ side: Side) -> StaticString {
    switch side {
    case .left: isRightToLeft ? "start" : "end"
    case .centre: "middle"
    case .right: isRightToLeft ? "end" : "start"
    }
  }

  /// Returns a thin line at an average.
  func level(_ level: Chart.Level) -> HTML {
    """
    <line class="average" x1="0" x2="100%" y1="\(y(level.value))" \
    y2="\(y(level.value))"/>
    """
  }

  /// Returns the named values, each with a dot at its place and its label to the right of the
  /// plot's lines and bars.
  var marks: HTML {
    let shifts = LabelPlaces.shifts(of: chart.marks, in: self)
    return "\(each: zip(chart.marks, shifts), { mark($0, shift: $1) })"
  }

  private func mark(_ mark: Chart.Mark, shift: Int) -> HTML {
    let place = x(min(max(mark.point.at, chart.span.lowerBound), chart.span.upperBound))
    return """
      <circle class="latest" cx="\(place)" cy="\(y(mark.point.value))" r="5"/>\
      <text class="value" x="\(place)" y="\(y(mark.point.value))" dx="\(LabelPlaces.markDistance)" \
      dy="\(shift + 6)" text-anchor="\(anchor(.right))">\(mark.label)</text>
      """
  }

  /// Returns the area in which the readout shows a sentence. Browsers show its title beside a mouse
  /// pointer.
  func hit(_ reading: Chart.Reading) -> HTML {
    let (start, end) = (hundredths(reading.span.lowerBound), hundredths(reading.span.upperBound))
    let left = max(start, 0)
    let width = max(1, min(end, Self.width) - left)
    return """
      <rect class="hit" x="\(Self.percent(left))" width="\(Self.percent(width))" \
      y="\(Self.percent(Self.top))" height="\(Self.percent(Self.height))">\
      <title>\(reading.text)</title></rect>
      """
  }

  /// Returns the bars of a kind of values. A period with one value has a bar without length, and the
  /// end of a bar that reaches its limit has a dot.
  func bars(_ bars: Chart.Bars, _ number: Int) -> HTML {
    let limit = bars.limit.map(Double.init) ?? .infinity
    let isDense = bars.bars.count > Self.mostLargeDots
    let others = number == 0 ? [] : chart.bars[0].bars
    let drawn: [HTML] = bars.bars.enumerated().map { index, one in
      let style = Chart.style(number)
      let (low, high) = (one.range.lowerBound, one.range.upperBound)
      let ends = bars.haveDots ? Set([low, high]).sorted() : high >= limit ? [high] : []
      let drawn: HTML = """
        \(low < high || !bars.haveDots ? bar(one, style, limit: limit) : nil)\
        \(each: ends, { dot($0, of: one, style, isDense: isDense, limit: limit) })
        """
      let isBeside = others.indices.contains(index) && others[index].overlaps(one)
      return isBeside ? "<g class=\"beside\">\(drawn)</g>" : drawn
    }
    return "\(drawn)"
  }

  /// Returns a bar, whose ends are at its values and whose part above the limit is high.
  private func bar(_ bar: Chart.Bar, _ style: StaticString, limit: Double) -> HTML {
    let place = x(middle(of: bar))
    let (low, high) = (bar.range.lowerBound, bar.range.upperBound)
    func part(_ low: Double, _ high: Double, _ more: HTML?) -> HTML {
      // Not all browsers draw the end of a line without length.
      """
      <line class="bar \(style)\(more)" x1="\(place)" x2="\(place)" \
      y1="\(y(high))" y2="\(Self.percent(max(level(low), level(high) + 1)))"/>
      """
    }
    return """
      \(low < limit ? part(low, min(high, limit), nil) : nil)\
      \(high > limit ? part(max(low, limit), high, " high") : nil)
      """
  }

  /// Returns a dot at a value of a bar.
  private func dot(
    _ value: Double, of bar: Chart.Bar, _ style: StaticString, isDense: Bool, limit: Double
  ) -> HTML {
    """
    <circle class="single \(style)\(value >= limit ? " high" : "")" \
    cx="\(x(middle(of: bar)))" cy="\(y(value))" r="\(isDense ? 3 : 4)"/>
    """
  }

  private func middle(of bar: Chart.Bar) -> Instant {
    min(max(bar.middle, chart.span.lowerBound), chart.span.upperBound)
  }

  /// Returns the line at a limit and its number, in place of one of the value axis.
  func limit(_ value: Int) -> HTML {
    let place = y(Double(value))
    return """
      <line class="limit" x1="0" x2="100%" y1="\(place)" y2="\(place)"/>\
      <text class="limit" x="0" y="\(place)" dx="-6" dy="5" text-anchor="\(anchor(.left))">\(value)</text>
      """
  }

  /// The distance of the middle of the unit from the highest number in usual text, below which it
  /// would touch bars on narrow screens.
  static let unitShift = -24

  /// Returns the unit of the values, above the highest number of the value axis.
  var unit: HTML? {
    guard !chart.unit.isEmpty else { return nil }
    return """
      <text class="unit" x="0" y="\(y(high))" dx="-30" dy="-1.4em" text-anchor="\(anchor(.right))">\(chart.unit)</text>
      """
  }

  /// Returns a horizontal grid line at a round number, with the number to the left of the plot.
  func row(_ value: Double, _ label: String) -> HTML {
    """
    <line class="grid" x1="0" x2="100%" y1="\(y(value))" y2="\(y(value))"/>\
    <text x="0" y="\(y(value))" dx="-6" dy="5" text-anchor="\(anchor(.left))">\(label)</text>
    """
  }

  /// Returns the vertical grid lines and the labels of the time axis. Narrow charts show fewer or
  /// shorter labels than wide ones, so that none touches its neighbour.
  func columns(_ times: TimeTicks, _ formats: Formats) -> HTML {
    let labels = times.moments.map { times.label($0, formats) }
    let briefLabels = times.moments.compactMap { times.briefLabel($0, formats) }
    let shares = times.moments.map { share($0 + times.labelShift) }
    let wide = LabelPlaces.spaced(labels, at: shares, in: .wide)
    func text(_ index: Int, _ label: String, _ style: StaticString) -> HTML {
      let place = Self.percent(Int((shares[index] * Double(Self.width)).rounded()))
      return """
        <text class="time\(style)" x="\(place)" y="100%" dy="-6" \
        text-anchor="\(anchor(Self.side(at: shares[index])))">\(label)</text>
        """
    }
    guard briefLabels.isEmpty else {
      let narrow = LabelPlaces.spaced(briefLabels, at: shares, in: .narrow)
      return """
        \(each: times.moments, column)\(each: wide, { text($0, labels[$0], " extra") })\
        \(each: narrow, { text($0, briefLabels[$0], " brief") })
        """
    }
    let narrow = LabelPlaces.spaced(
      wide.map { labels[$0] }, at: wide.map { shares[$0] }, in: .narrow)
    let kept = Set(narrow.map { wide[$0] })
    return """
      \(each: times.moments, column)\
      \(each: wide, { text($0, labels[$0], kept.contains($0) ? "" : " extra") })
      """
  }

  /// Returns a vertical grid line at the beginning of a day, month or year.
  private func column(_ moment: Instant) -> HTML {
    """
    <line class="grid" x1="\(x(moment))" x2="\(x(moment))" y1="\(Self.percent(Self.top))" \
    y2="\(Self.percent(Self.top + Self.height))"/>
    """
  }

  func line(_ line: Chart.Line, _ number: Int) -> HTML {
    let runs = chart.runs(line.points).map {
      Chart.thinned($0, over: chart.span, buckets: Self.buckets)
    }
    let lonely = runs.filter { $0.count == 1 }.flatMap(\.self)
    let dots =
      line.points.count <= Self.mostDots && !line.areAverages ? line.points : lonely
    let style = Chart.style(number)
    return """
      <svg x="0" y="\(Self.percent(Self.top))" width="100%" height="\(Self.percent(Self.height))" viewBox="0 0 \(Self.columns) \(Self.levels)" \
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
