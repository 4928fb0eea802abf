import Foundation

/// The reduction of lines to the points that can be seen at a scale.
struct MapThinning: Sendable {
  /// The maximum distance between a line and its thinned form, in units of latitude.
  let tolerance: Double

  /// Longer lines are thinned in pieces, so that the time grows linearly with their length.
  private static let pieceLength = 250

  /// Returns the feature with thinned lines; nil if it is too small to be seen.
  func thinned(_ feature: MapFeature) -> MapFeature? {
    if feature.kind == .town || feature.kind == .place { return feature }
    var feature = feature
    feature.lines = feature.lines.compactMap { line in
      guard let bounds = MapBounds(line), Double(bounds.extent) >= tolerance else { return nil }
      return thinned(line)
    }
    return feature.lines.isEmpty ? nil : feature
  }

  /// Returns the line with its ends and the points that stand out by more than the tolerance
  /// (Douglas and Peucker 1973, Algorithms for the reduction of the number of points).
  func thinned(_ line: [MapPoint]) -> [MapPoint] {
    guard line.count > 2 else { return line }
    var isKept = Array(repeating: false, count: line.count)
    isKept[line.count - 1] = true
    for start in stride(from: 0, to: line.count - 1, by: Self.pieceLength) {
      isKept[start] = true
      keep(in: line, from: start, to: min(start + Self.pieceLength, line.count - 1), &isKept)
    }
    return zip(line, isKept).filter(\.1).map(\.0)
  }

  private func keep(in line: [MapPoint], from start: Int, to end: Int, _ isKept: inout [Bool]) {
    let shrink = MapProjection.shrinking(at: line[start].latitude)
    var pieces = [(start, end)]
    while let (start, end) = pieces.popLast() {
      guard end - start > 1 else { continue }
      var farthest = (index: start, distance: tolerance)
      for index in start + 1..<end {
        let distance = Self.distance(of: line[index], from: line[start], to: line[end], shrink)
        if distance > farthest.distance { farthest = (index, distance) }
      }
      guard farthest.index > start else { continue }
      isKept[farthest.index] = true
      pieces += [(start, farthest.index), (farthest.index, end)]
    }
  }

  /// Returns the distance of a point from a segment, in units of latitude.
  private static func distance(
    of point: MapPoint, from start: MapPoint, to end: MapPoint, _ shrink: Double
  ) -> Double {
    let (x, y) = (Double(point.east - start.east) * shrink, Double(point.north - start.north))
    let (dx, dy) = (Double(end.east - start.east) * shrink, Double(end.north - start.north))
    let square = dx * dx + dy * dy
    let share = square == 0 ? 0 : min(1, max(0, (x * dx + y * dy) / square))
    return hypot(x - share * dx, y - share * dy)
  }
}
