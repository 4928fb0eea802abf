import Foundation
import PolyclinicCore

/// The drawing of a map's ground: areas, lines and their names.
struct MapDrawing {
  private let features: [MapFeature]
  private let projection: MapProjection
  private let language: Language

  init(_ ground: MapGround, _ projection: MapProjection, in language: Language) {
    features = ground.features
    self.projection = projection
    self.language = language
  }

  /// The areas and lines, the lowest first.
  var shapes: HTML {
    let order: [(MapFeature.Kind, StaticString)] = [
      (.green, "green"), (.water, "water"), (.river, "river"), (.district, "district"),
      (.street, "street"), (.railway, "railway"), (.mainStreet, "main-street"),
      (.mainRoad, "main-road"),
    ]
    let scale = "scale(\(1 / MapPath.parts))"
    return """
      <g transform="\(scale)">\(each: order, { path(of: $0.0, $0.1) })</g>
      """
  }

  private func path(of kind: MapFeature.Kind, _ style: StaticString) -> HTML {
    var path = MapPath()
    for feature in features where feature.kind == kind {
      for line in feature.lines {
        let points = line.map(point)
        if kind == .water || kind == .green {
          path.add(ring: points)
        } else {
          path.add(line: points)
        }
      }
    }
    if path.bytes.isEmpty { return HTML() }
    return "<path class=\"\(style)\" d=\"\(utf8: path.bytes[...])\"/>"
  }

  private func point(_ point: MapPoint) -> MapProjection.Point {
    projection.point(latitude: point.latitude, longitude: point.longitude)
  }

  /// Returns the names that have room beside `labels`, the most important first.
  /// A phone has those of towns and places alone.
  func names(_ labels: inout MapLabels, on screen: MapText.Screen = .wide) -> HTML {
    var names = HTML()
    var seen: Set<String> = []
    let order: [(MapFeature.Kind, StaticString, Double)] = [
      (.town, "town", 20), (.place, "place", 17), (.district, "place", 17), (.water, "water", 15),
      (.green, "green", 15), (.mainRoad, "street", 14), (.mainStreet, "street", 14),
      (.street, "street", 14),
    ]
    for (kind, style, wide) in order where screen == .wide || wide >= 17 {
      let size = screen.size(wide)
      for feature in features where feature.kind == kind {
        let name = feature.name.string(in: language)
        guard !name.isEmpty, name.unicodeScalars.count <= 80, !seen.contains(name) else { continue }
        let isStreet = size == 14
        let label =
          isStreet
          ? streetName(name, along: feature, size, &labels)
          : areaName(name, of: feature, style, size, &labels)
        guard let label else { continue }
        seen.insert(name)
        names += label
      }
    }
    return names
  }

  /// Returns the name of an area or place in its middle; nil if it has no room or is larger than
  /// the area.
  private func areaName(
    _ name: String, of feature: MapFeature, _ style: StaticString, _ size: Double,
    _ labels: inout MapLabels
  ) -> HTML? {
    guard let bounds = feature.bounds else { return nil }
    let lines = MapLabels.lines(of: name, length: 14)
    let width = lines.map { MapLabels.width(of: $0, size: size) }.max() ?? 0
    let corner = onMap(point(MapPoint(east: bounds.west, north: bounds.north)))
    let other = onMap(point(MapPoint(east: bounds.east, north: bounds.south)))
    let isArea = feature.kind == .water || feature.kind == .green
    if isArea && (other.x - corner.x < width * 0.8 || other.y - corner.y < size) { return nil }
    let middle = MapProjection.Point(x: (corner.x + other.x) / 2, y: (corner.y + other.y) / 2)
    let height = Double(lines.count) * size * 1.2
    guard labels.takeFree([.init(around: middle, width: width, height: height)]) else { return nil }
    return text(lines, at: middle, size, style)
  }

  /// Returns the nearest point on the map, so that the name of a large area stands in its visible
  /// part.
  private func onMap(_ point: MapProjection.Point) -> MapProjection.Point {
    MapProjection.Point(
      x: min(max(point.x, 0), Double(MapProjection.size.width)),
      y: min(max(point.y, 0), Double(MapProjection.size.height)))
  }

  /// Returns the name of a street along its longest straight part; nil if that is too short or has
  /// no room.
  private func streetName(
    _ name: String, along feature: MapFeature, _ size: Double, _ labels: inout MapLabels
  ) -> HTML? {
    let width = MapLabels.width(of: name, size: size)
    guard let longest = longestStraightPart(of: feature, least: width * 1.05) else { return nil }
    // Squares along the name, because a slanted rectangle would take too much room.
    let count = max(1, Int((width / size).rounded(.up)))
    let boxes = (0..<count).map { index in
      let offset = (Double(index) + 0.5) * width / Double(count) - width / 2
      let center = MapProjection.Point(
        x: longest.middle.x + cos(longest.angle) * offset,
        y: longest.middle.y + sin(longest.angle) * offset)
      return MapLabels.Box(around: center, width: size, height: size)
    }
    guard labels.takeFree(boxes) else { return nil }
    let degrees = Int((longest.angle * 180 / .pi).rounded())
    return """
      <text class="street" transform="translate(\(Int(longest.middle.x)) \(Int(longest.middle.y))) \
      rotate(\(degrees))" y="\(Int(size / 3))">\(name)</text>
      """
  }

  /// The maximum distance of a street from its straight name.
  private static let bend = 4.0

  /// Returns the middle and the angle of the longest nearly straight part; nil if all are shorter
  /// than `least`.
  private func longestStraightPart(
    of feature: MapFeature, least: Double
  ) -> (middle: MapProjection.Point, angle: Double)? {
    var longest: (length: Double, middle: MapProjection.Point, angle: Double)?
    for line in feature.lines {
      let points = line.prefix(40).map(point)
      for first in points.indices {
        for last in points[first...].indices.dropFirst() {
          let (start, end) =
            points[first].x <= points[last].x
            ? (points[first], points[last]) : (points[last], points[first])
          let length = start.distance(to: end)
          let angle = atan2(end.y - start.y, end.x - start.x)
          let isStraight = points[first..<last].allSatisfy { point in
            abs((point.x - start.x) * sin(angle) - (point.y - start.y) * cos(angle)) <= Self.bend
          }
          if !isStraight { break }
          guard length >= max(least, longest?.length ?? 0) else { continue }
          let middle = MapProjection.Point(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
          longest = (length, middle, angle)
        }
      }
    }
    return longest.map { ($0.middle, $0.angle) }
  }

  private func text(
    _ lines: [String], at point: MapProjection.Point, _ size: Double, _ style: StaticString
  ) -> HTML {
    MapText(lines: lines, point: point, size: size).html(style)
  }
}
