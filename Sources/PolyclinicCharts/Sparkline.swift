import PolyclinicCore

extension Chart {
  /// Returns a small chart of lines without axes, such as for a card; nil if no line has two
  /// points.
  ///
  /// `label` is the text alternative, and `caption` the days that the chart covers. The lines share
  /// the height from the lowest to the highest value and the width of `span`.
  public static func sparkline(
    _ lines: [[Point]], over span: Range<Instant>, label: String, caption: String
  ) -> HTML? {
    let values = lines.joined().map(\.value)
    guard lines.contains(where: { $0.count > 1 }), let low = values.min(), let high = values.max()
    else { return nil }
    let length = Double(max(1, (span.upperBound - span.lowerBound).count))
    let reach = max(high - low, .leastNonzeroMagnitude)
    func place(_ point: Point) -> String {
      let x = Double((point.at - span.lowerBound).count) / length * sparkWidth
      let y = high == low ? sparkHeight / 2 : (high - point.value) / reach * sparkHeight
      return "\(Int(x.rounded())),\(Int(y.rounded()))"
    }
    return """
      <svg class="chart spark" role="img" aria-label="\(label)" \
      viewBox="0 0 \(Int(sparkWidth)) \(Int(sparkHeight))" preserveAspectRatio="none">\
      \(each: lines.enumerated(), { number, points in
        "<polyline class=\"\(style(number))\" points=\"\(points.map(place).joined(separator: " "))\"/>"
      })</svg><p class="secondary-text">\(caption)</p>
      """
  }

  private static var sparkWidth: Double { 600 }
  private static var sparkHeight: Double { 100 }
}
