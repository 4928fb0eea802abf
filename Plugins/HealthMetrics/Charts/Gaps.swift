import PolyclinicCharts
import PolyclinicCore

extension Chart {
  /// Returns the longest interval between two points that a line still connects. It is a multiple
  /// of the usual interval, because that can be half a day or a month.
  static func gap(between points: [Point]) -> Seconds {
    let intervals = zip(points, points.dropFirst()).map { ($1.at - $0.at).count }.sorted()
    // Uses the upper quartile, because two readings are often taken a minute apart.
    guard !intervals.isEmpty else { return usual }
    return max(usual, Seconds(5 * intervals[intervals.count * 3 / 4] / 2))
  }

  /// Two days, so that one missing day is not a gap.
  private static let usual = Seconds.days(2)
}
