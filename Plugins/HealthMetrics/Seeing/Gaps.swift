import PolyclinicCore

extension Chart {
  /// How long nothing may have been measured for a line to go on: some times as long as mostly passes from
  /// one measurement to the next, be that half a day or a month.
  static func gap(between points: [Point]) -> Seconds {
    let intervals = zip(points, points.dropFirst()).map { ($1.at - $0.at).count }.sorted()
    // The upper quartile: two readings are often taken a minute apart.
    guard !intervals.isEmpty else { return usual }
    return max(usual, Seconds(4 * intervals[intervals.count * 3 / 4]))
  }

  /// One day left out is no gap.
  private static let usual = Seconds.days(2)
}
