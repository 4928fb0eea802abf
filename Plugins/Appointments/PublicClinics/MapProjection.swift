import Foundation
import PolyclinicCore
import PolyclinicPlaces

/// A projection for maps of a town up to a country: equirectangular, true to scale along its middle parallel
/// (Snyder 1987, Map Projections: A Working Manual, 12).
struct MapProjection: Sendable {
  /// The size of the map, in map units.
  static let size = (width: 640, height: 480)
  /// The margin around the outermost places.
  static let margin = 64.0
  /// The additional margin at the top and bottom, so that no mark covers the scale bar.
  private static let foot = 24.0
  /// The minimum width of the map in kilometres, for one place or for several in one building.
  private static let leastWidth = 2.0

  /// The kilometres per map unit.
  let scale: Double
  private let middle: (latitude: Double, eastward: Double)
  /// The westernmost longitude. Others are counted eastward from it, so that a country may lie on both sides of the
  /// 180th meridian.
  private let west: Double

  private static let kilometresPerDegree = Coordinates.earthRadius * .pi / 180

  /// A point on the map, in map units from the upper left corner.
  struct Point: Sendable, Hashable {
    var x: Double
    var y: Double

    func distance(to other: Point) -> Double { hypot(x - other.x, y - other.y) }
  }

  /// Returns nil if there are no places.
  init?(showing places: [Coordinates]) {
    guard let first = places.first else { return nil }
    let latitudes = places.map(\.latitude)
    let (south, north) = latitudes.reduce((first.latitude, first.latitude)) {
      (min($0.0, $1), max($0.1, $1))
    }
    west = Self.westernEnd(of: places.map(\.longitude))
    var east = 0.0
    for place in places { east = max(east, Self.eastward(place.longitude, from: west)) }
    middle = ((south + north) / 2, east / 2)
    let (width, height) = (Double(Self.size.width), Double(Self.size.height))
    let shrink = Self.shrinking(at: middle.latitude)
    scale = max(
      Self.leastWidth / width,
      east * Self.kilometresPerDegree * shrink / (width - 2 * Self.margin),
      (north - south) * Self.kilometresPerDegree / (height - 2 * (Self.margin + Self.foot)))
  }

  func point(of place: Coordinates) -> Point {
    point(latitude: place.latitude, eastward: Self.eastward(place.longitude, from: west))
  }

  /// The meridians and parallels at round numbers of degrees, far enough apart to stay in the background.
  var graticule: (x: [Double], y: [Double]) {
    let least = 80 * scale / Self.kilometresPerDegree
    let step = Self.roundDegrees.first { $0 >= least } ?? 30
    let (width, height) = (Double(Self.size.width), Double(Self.size.height))
    let shrink = Self.shrinking(at: middle.latitude)
    let spanX = width / 2 * scale / (Self.kilometresPerDegree * shrink)
    let spanY = height / 2 * scale / Self.kilometresPerDegree
    let longitude = west + middle.eastward
    let x = Self.multiples(of: step, longitude - spanX, longitude + spanX).map {
      point(latitude: middle.latitude, eastward: $0 - west).x
    }
    let y = Self.multiples(of: step, middle.latitude - spanY, middle.latitude + spanY).map {
      point(latitude: $0, eastward: middle.eastward).y
    }
    return (x, y)
  }

  /// The length of the scale bar: a round number of kilometres, at most a quarter of the map's width.
  var scaleBar: Double {
    let most = Double(Self.size.width) / 4 * scale
    let power = pow(10, log10(most).rounded(.down))
    return [5, 2, 1].map { $0 * power }.first { $0 <= most } ?? power
  }

  private func point(latitude: Double, eastward: Double) -> Point {
    let perUnit = Self.kilometresPerDegree / scale
    let shrink = Self.shrinking(at: middle.latitude)
    return Point(
      x: Double(Self.size.width) / 2 + (eastward - middle.eastward) * perUnit * shrink,
      y: Double(Self.size.height) / 2 - (latitude - middle.latitude) * perUnit)
  }

  private static let roundDegrees = [
    0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20,
  ]

  private static func multiples(of step: Double, _ low: Double, _ high: Double) -> [Double] {
    let first = (low / step).rounded(.up)
    let last = (high / step).rounded(.down)
    guard first <= last, last - first < 100 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// Returns the length of a degree of longitude relative to the equator. It is at least 0.01, even at a pole.
  private static func shrinking(at latitude: Double) -> Double {
    max(0.01, cos(latitude * .pi / 180))
  }

  /// Returns the longitude at the eastern end of the widest gap. Counted eastward from it, the places span the
  /// fewest degrees.
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
