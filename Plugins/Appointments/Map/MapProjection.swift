import Foundation
import PolyclinicCore
import PolyclinicPlaces

/// A projection for maps of a town up to a country: equirectangular, true to scale along its middle
/// parallel (Snyder 1987, Map Projections: A Working Manual, 12).
struct MapProjection: Sendable {
  /// The size of the map, in map units.
  static let size = (width: 640, height: 480)
  /// The margin around the outermost places.
  private static let margin = 64.0
  /// The additional margin at the top and bottom, so that no mark covers the scale bar.
  private static let foot = 24.0
  /// The minimum width of the map in kilometres, for one place or for several in one building.
  private static let leastWidth = 2.0

  /// The kilometres per map unit.
  let scale: Double
  /// The position in the middle of the map.
  let middle: (latitude: Double, longitude: Double)

  static let kilometresPerDegree = Coordinates.earthRadius * .pi / 180

  /// A point on the map, in map units from the upper left corner.
  struct Point: Sendable, Hashable {
    var x: Double
    var y: Double

    func distance(to other: Point) -> Double { hypot(x - other.x, y - other.y) }
  }

  /// Creates a map of these places. Returns nil if there are none.
  init?(showing places: [Coordinates]) {
    guard let first = places.first else { return nil }
    let latitudes = places.map(\.latitude)
    let (south, north) = latitudes.reduce((first.latitude, first.latitude)) {
      (min($0.0, $1), max($0.1, $1))
    }
    let west = Self.westernEnd(of: places.map(\.longitude))
    let east = places.reduce(0) { max($0, Self.eastward($1.longitude, from: west)) }
    middle = ((south + north) / 2, Self.nearest(west + east / 2, to: 0))
    let (width, height) = (Double(Self.size.width), Double(Self.size.height))
    let shrink = Self.shrinking(at: middle.latitude)
    scale = max(
      Self.leastWidth / width,
      east * Self.kilometresPerDegree * shrink / (width - 2 * Self.margin),
      (north - south) * Self.kilometresPerDegree / (height - 2 * (Self.margin + Self.foot)))
  }

  /// Creates a map around a position that is this many kilometres wide.
  init(around middle: Coordinates, width: Double) {
    self.middle = (middle.latitude, middle.longitude)
    scale = width / Double(Self.size.width)
  }

  /// The width of the map in kilometres.
  var width: Double { Double(Self.size.width) * scale }

  func point(of place: Coordinates) -> Point {
    point(latitude: place.latitude, longitude: Self.nearest(place.longitude, to: middle.longitude))
  }

  /// Returns the point of a longitude that may lie beyond the 180th meridian.
  func point(latitude: Double, longitude: Double) -> Point {
    let perUnit = Self.kilometresPerDegree / scale
    let shrink = Self.shrinking(at: middle.latitude)
    return Point(
      x: Double(Self.size.width) / 2 + (longitude - middle.longitude) * perUnit * shrink,
      y: Double(Self.size.height) / 2 - (latitude - middle.latitude) * perUnit)
  }

  /// Returns the position at shares of the map's width and height away from the middle, to the east
  /// and south.
  func position(east: Double, south: Double) -> Coordinates? {
    let perUnit = Self.kilometresPerDegree / scale
    let degrees = Double(Self.size.width) * east / (perUnit * Self.shrinking(at: middle.latitude))
    let latitude = middle.latitude - Double(Self.size.height) * south / perUnit
    return Coordinates(
      latitude: min(85, max(-85, latitude)),
      longitude: Self.nearest(middle.longitude + degrees, to: 0))
  }

  /// The rectangle that the map shows. It may reach beyond the 180th meridian.
  var bounds: MapBounds {
    let perUnit = Self.kilometresPerDegree / scale
    let east = min(
      180, Double(Self.size.width) / 2 / (perUnit * Self.shrinking(at: middle.latitude)))
    let north = min(90, Double(Self.size.height) / 2 / perUnit)
    let unit = Double(MapPoint.perDegree)
    let corners = [(-east, -north), (east, north)].map { corner in
      MapPoint(
        east: Int((middle.longitude + corner.0) * unit),
        north: Int(min(90, max(-90, middle.latitude + corner.1)) * unit))
    }
    return MapBounds(corners[0], corners[1])
  }

  /// The length of the scale bar: a round number of kilometres, at most a quarter of the map's
  /// width.
  var scaleBar: Double {
    let most = width / 4
    let power = pow(10, log10(most).rounded(.down))
    return [5, 2, 1].map { $0 * power }.first { $0 <= most } ?? power
  }

  /// Returns the length of a degree of longitude relative to the equator. It is at least 0.01, even
  /// at a pole.
  static func shrinking(at latitude: Double) -> Double {
    max(0.01, cos(latitude * .pi / 180))
  }

  /// Returns the same meridian, at most half a turn away from another one.
  static func nearest(_ longitude: Double, to other: Double) -> Double {
    longitude - 360 * ((longitude - other) / 360).rounded()
  }

  /// Returns the longitude at the eastern end of the widest gap. Counted eastward from it, the
  /// places span the fewest degrees.
  private static func westernEnd(of longitudes: [Double]) -> Double {
    let sorted = longitudes.sorted()
    let before = [(sorted.last ?? 0) - 360] + sorted.dropLast()
    let widest = zip(sorted, before).max { $0.0 - $0.1 < $1.0 - $1.1 }
    return widest?.0 ?? 0
  }

  private static func eastward(_ longitude: Double, from west: Double) -> Double {
    let difference = longitude - west
    return difference < 0 ? difference + 360 : difference
  }
}
