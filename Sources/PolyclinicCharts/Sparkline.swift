import PolyclinicCore

extension Chart {
  /// Returns a small chart of lines without axes, such as for a card; nil if no line has two
  /// points.
  ///
  /// `label` is the text alternative, and `caption` a line below the chart, such as its days. The
  /// lines share the height from the lowest to the highest value and limit, and the width of `span`.
  /// A dot ends each line. A thin line marks each of the `limits`, such as the lowest and the
  /// highest value, and its words stand at the end.
  public static func sparkline(
    _ lines: [[Point]], over span: Range<Instant>, label: String, caption: String,
    limits: [(value: Double, words: String)] = []
  ) -> HTML? {
    guard lines.contains(where: { $0.count > 1 }) else { return nil }
    let values = lines.joined().map(\.value) + limits.map(\.value)
    let spark = Spark(
      low: values.min() ?? 0, high: values.max() ?? 0, span: span,
      width: limits.isEmpty ? sparkWidth : sparkWidth - wordsWidth)
    return """
      <svg class="chart spark" role="img" aria-label="\(label)">\(each: limits, spark.limit)\
      <svg width="\(spark.width)%" height="100%" viewBox="0 0 600 100" preserveAspectRatio="none">\
      \(each: lines.enumerated(), { spark.line($1, style($0)) })</svg>\
      \(each: lines.enumerated(), { spark.end($1, style($0)) })</svg>\
      <p class="secondary-text">\(caption)</p>
      """
  }

  /// The width of a small chart in percent.
  private static let sparkWidth = 100
  /// The percent of the width that the words of limits have.
  private static let wordsWidth = 12
}

/// The scales of a small chart.
private struct Spark {
  let low: Double
  let high: Double
  let span: Range<Instant>
  /// The width of the lines, in percent of that of the chart.
  let width: Int

  /// Returns the distance of a moment from the start, from 0 to 1.
  private func across(_ moment: Instant) -> Double {
    let length = Double(max(1, (span.upperBound - span.lowerBound).count))
    return Double((moment - span.lowerBound).count) / length
  }

  /// Returns the distance of a value from the top in percent.
  private func down(_ value: Double) -> Int {
    high == low ? 50 : Int(((high - value) / (high - low) * 100).rounded())
  }

  func line(_ points: [Chart.Point], _ style: StaticString) -> HTML {
    let places = points.map { "\(Int((across($0.at) * 600).rounded())),\(down($0.value))" }
    return "<polyline class=\"\(style)\" points=\"\(places.joined(separator: " "))\"/>"
  }

  /// Returns the line of a limit and its words. Unlike the lines of values, they are not stretched
  /// to the width of the chart.
  func limit(_ value: Double, _ words: String) -> HTML {
    let place = down(value)
    return """
      <line x1="0" x2="\(width)%" y1="\(place)%" y2="\(place)%"/>\
      <text x="\(width + 2)%" y="\(place)%" dy=".35em">\(words)</text>
      """
  }

  /// Returns the dot at the last point, which is not stretched either.
  func end(_ points: [Chart.Point], _ style: StaticString) -> HTML {
    guard let point = points.last else { return HTML() }
    let x = Int((across(point.at) * Double(width)).rounded())
    return "<circle class=\"\(style)\" cx=\"\(x)%\" cy=\"\(down(point.value))%\" r=\"4\"/>"
  }
}
