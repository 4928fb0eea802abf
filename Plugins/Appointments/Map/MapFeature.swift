import PolyclinicCore

/// One feature of a map: a lake, a street, a district or the name of a place.
struct MapFeature: Sendable, Equatable {
  let kind: Kind
  let name: LocalizedText
  /// The lines of a street, the closed rings of an area, or one point. Outer rings run
  /// counterclockwise, inner ones clockwise.
  var lines: [[MapPoint]]

  /// The kind of a feature. The raw values are stored.
  enum Kind: UInt8, CaseIterable, Sendable {
    case water = 1
    case river = 2
    case green = 3
    case railway = 4
    case mainRoad = 5
    case mainStreet = 6
    case street = 7
    case district = 8
    /// The name of a city or town.
    case town = 9
    /// The name of a district or village.
    case place = 10
  }

  /// The smallest rectangle that contains the feature; nil if it has no points.
  var bounds: MapBounds? { MapBounds(lines.joined()) }

  var pointCount: Int { lines.reduce(0) { $0 + $1.count } }
}

/// A position in hundred-thousandths of a degree, about a metre.
///
/// The points of a line continue beyond the 180th meridian, so that a line across it is not drawn
/// around the earth.
struct MapPoint: Sendable, Hashable {
  /// The longitude.
  var east: Int
  /// The latitude.
  var north: Int

  /// The units of one degree.
  static let perDegree = 100_000
  /// The units of 180 degrees.
  static let halfTurn = 180 * perDegree

  init(east: Int, north: Int) {
    self.east = east
    self.north = north
  }

  /// Creates a point; nil if a coordinate is not a number within its range.
  init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    east = Int((longitude * Double(Self.perDegree)).rounded())
    north = Int((latitude * Double(Self.perDegree)).rounded())
  }

  var latitude: Double { Double(north) / Double(Self.perDegree) }
  var longitude: Double { Double(east) / Double(Self.perDegree) }
}

/// A rectangle of a map.
struct MapBounds: Sendable, Equatable {
  var west: Int
  var east: Int
  var south: Int
  var north: Int

  /// Creates a rectangle from its southwestern and northeastern corners.
  init(_ southwest: MapPoint, _ northeast: MapPoint) {
    (west, south) = (southwest.east, southwest.north)
    (east, north) = (northeast.east, northeast.north)
  }

  /// Returns nil if there are no points.
  init?(_ points: some Sequence<MapPoint>) {
    var points = points.makeIterator()
    guard let first = points.next() else { return nil }
    (west, east, south, north) = (first.east, first.east, first.north, first.north)
    while let point = points.next() {
      west = min(west, point.east)
      east = max(east, point.east)
      south = min(south, point.north)
      north = max(north, point.north)
    }
  }

  /// The length of the longer side, in units of latitude.
  var extent: Int {
    let shrink = MapProjection.shrinking(at: Double(south + north) / 2 / Double(MapPoint.perDegree))
    return max(Int(Double(east - west) * shrink), north - south)
  }
}

extension [MapPoint] {
  /// Twice the signed area of a ring: positive if it runs counterclockwise.
  var doubledArea: Double {
    guard let first else { return 0 }
    var area = 0.0
    for (one, other) in zip(self, dropFirst()) {
      area += Double(one.east - first.east) * Double(other.north - first.north)
      area -= Double(other.east - first.east) * Double(one.north - first.north)
    }
    return area
  }

  /// Returns the ring closed and in the given direction.
  func ring(isOuter: Bool) -> [MapPoint] {
    guard let first, let last else { return self }
    let closed = first == last ? self : self + [first]
    return (closed.doubledArea > 0) == isOuter ? closed : closed.reversed()
  }

  /// Returns the line continued beyond the 180th meridian instead of jumping to its other side; nil
  /// if it winds around the earth.
  var unwrapped: [MapPoint]? {
    var line = self
    for index in line.indices.dropFirst() {
      let step = line[index].east - line[index - 1].east
      // A step is at most one turn and a half, because each point is between -180 and 180 degrees
      // and the one before it at most one turn away.
      let turns = (Double(step) / Double(2 * MapPoint.halfTurn)).rounded()
      line[index].east -= Int(turns) * 2 * MapPoint.halfTurn
      guard abs(line[index].east) <= 3 * MapPoint.halfTurn else { return nil }
    }
    return line
  }
}
