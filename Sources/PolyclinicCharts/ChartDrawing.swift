import PolyclinicCore

/// The layout of a chart.
///
/// Lines are drawn in a square view box that is stretched over the plot. Letters and dots must not
/// be stretched, so they are placed outside of it, in percentages of the width and height.
struct ChartDrawing {
  let chart: Chart
  let low: Double
  let high: Double

  // The plot area in hundredths of a percent of the figure. Its margins hold the labels.
  private static let (left, width, top, height) = (1_000, 8_800, 900, 8_100)
  /// The size of the stretched view box.
  private static let (columns, levels) = (4_000, 1_000)
  /// The number of buckets that a line is thinned over; more would not be visible on any screen.
  private static let buckets = 200
  /// The most points of a line for which each point gets a dot.
  private static let mostDots = 124
  /// The most bars that are wide enough for a finger on a telephone.
  private static let mostWideBars = 31

  private func share(_ moment: Instant) -> Double {
    let whole = Double(max(1, (chart.span.upperBound - chart.span.lowerBound).count))
    return Double((moment - chart.span.lowerBound).count) / whole
  }

  private func depth(_ value: Double) -> Double { (high - value) / (high - low) }

  private func x(_ moment: Instant) -> String { Self.percent(hundredths(moment)) }

  private func hundredths(_ moment: Instant) -> Int {
    Self.left + Int((share(moment) * Double(Self.width)).rounded())
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
        <line class="aim" x1="\(Self.percent(Self.left))" x2="100%" y1="\(Self.percent(top))" y2="\(Self.percent(top))"/>
        """
    }
    return """
      <rect class="band" x="\(Self.percent(Self.left))" \
      width="\(Self.percent(10_000 - Self.left))" y="\(Self.percent(top))" \
      height="\(Self.percent(bottom - top))"/>
      """
  }

  /// Returns a thin line at an average.
  func level(_ level: Chart.Level) -> HTML {
    """
    <line class="average" x1="\(Self.percent(Self.left))" x2="100%" y1="\(y(level.value))" \
    y2="\(y(level.value))"/>
    """
  }

  /// Returns the label of a value, with a dot at its place.
  func mark(_ mark: Chart.Mark) -> HTML {
    let moment = min(max(mark.point.at, chart.span.lowerBound), chart.span.upperBound)
    let (share, place) = (share(moment), x(moment))
    let anchor: StaticString = share < 0.05 ? "start" : share > 0.95 ? "end" : "middle"
    return """
      <circle class="latest" cx="\(place)" cy="\(y(mark.point.value))" r="5"/>\
      <text class="value" x="\(place)" y="\(y(mark.edge))" dy="\(mark.isBelow ? "22" : "-11")" \
      text-anchor="\(anchor)">\(mark.label)</text>
      """
  }

  /// Returns the area in which the readout shows a sentence. Browsers show its title beside a mouse
  /// pointer.
  func hit(_ reading: Chart.Reading) -> HTML {
    let (start, end) = (hundredths(reading.span.lowerBound), hundredths(reading.span.upperBound))
    let left = max(start, Self.left)
    let width = max(1, min(end, Self.left + Self.width) - left)
    return """
      <rect class="hit" x="\(Self.percent(left))" width="\(Self.percent(width))" \
      y="\(Self.percent(Self.top))" height="\(Self.percent(Self.height))">\
      <title>\(reading.text)</title></rect>
      """
  }

  /// Returns the bars of a kind of values, each with a dot at its mean. A period with one value has
  /// only the round ends of its bar.
  func bars(_ bars: Chart.Bars, _ number: Int) -> HTML {
    let style = Chart.style(number)
    let isDense: HTML? = bars.bars.count > Self.mostWideBars ? " dense" : nil
    return "\(each: bars.bars, { bar($0, style, isDense) })"
  }

  private func bar(_ bar: Chart.Bar, _ style: StaticString, _ isDense: HTML?) -> HTML {
    let middle =
      bar.span.lowerBound + Seconds((bar.span.upperBound - bar.span.lowerBound).count / 2)
    let place = x(min(max(middle, chart.span.lowerBound), chart.span.upperBound))
    // A line without length has no round ends in every browser.
    let (low, high) = (level(bar.range.lowerBound), level(bar.range.upperBound))
    return """
      <line class="bar \(style)\(isDense)" x1="\(place)" x2="\(place)" \
      y1="\(Self.percent(high))" y2="\(Self.percent(max(low, high + 1)))"/>\
      <circle class="mean" cx="\(place)" cy="\(y(bar.mean))" r="2"/>
      """
  }

  /// Returns a horizontal grid line at a round number, labelled with the number.
  func row(_ value: Double, _ label: String) -> HTML {
    """
    <line class="grid" x1="0" x2="100%" y1="\(y(value))" y2="\(y(value))"/>\
    <text x="0" y="\(y(value))" dy="-4">\(label)</text>
    """
  }

  /// Returns a vertical grid line at the beginning of a day, month or year, and its label. Narrow
  /// charts hide every second label, so that none covers its neighbour.
  func column(_ moment: Instant, _ label: String, _ number: Int) -> HTML {
    let share = share(moment)
    let anchor: StaticString = share < 0.04 ? "start" : share > 0.94 ? "end" : "middle"
    let bottom = Self.percent(Self.top + Self.height)
    let isMore: HTML? = number % 2 == 1 ? " class=\"extra\"" : nil
    return """
      <line class="grid" x1="\(x(moment))" x2="\(x(moment))" y1="\(Self.percent(Self.top))" y2="\(bottom)"/>\
      <text\(isMore) x="\(x(moment))" y="100%" dy="-6" text-anchor="\(anchor)">\(label)</text>
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
