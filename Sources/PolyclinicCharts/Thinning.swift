import PolyclinicCore

extension Chart {
  /// Returns as many points as the eye can distinguish: the first, lowest, highest and last point
  /// of each of `buckets` equal parts of the span.
  ///
  /// If a bucket is one pixel wide, a line through these points covers the same pixels as one
  /// through all points (M4: Jugel, Jerzak, Hackenbroich, Markl, "M4: A Visualization-Oriented Time
  /// Series Data Aggregation", PVLDB 7(10), 2014). Extremes are kept at any width. `points` must be
  /// in chronological order.
  public static func thinned(
    _ points: ArraySlice<Point>, over span: Range<Instant>, buckets: Int
  ) -> [Point] {
    guard points.count > 4 * buckets else { return Array(points) }
    let width = max(1, (span.upperBound - span.lowerBound).count)
    var kept: [Point] = []
    var bucket: [Int] = []
    var number = -1
    func close() {
      kept += Set(bucket).sorted().map { points[$0] }
    }
    for index in points.indices {
      let point = points[index]
      let share = Double((point.at - span.lowerBound).count) / Double(width)
      let place = Int(share * Double(buckets))
      if place != number {
        close()
        number = place
        bucket = [index, index, index, index]
        continue
      }
      if point.value < points[bucket[1]].value { bucket[1] = index }
      if point.value > points[bucket[2]].value { bucket[2] = index }
      bucket[3] = index
    }
    close()
    return kept
  }
}
