import PolyclinicCore
import PolyclinicPlaces

/// A part of the map, as the links beside it ask for.
///
/// An address has only rounded middles of maps that show clinics. It never has a visitor's
/// position.
struct MapView: Sendable {
  let projection: MapProjection

  /// The zoom levels. Each level shows half the width of the one before.
  private static let levels = 0...12
  /// The width of the map in kilometres at level 0.
  private static let widest = 2_560.0

  init(_ projection: MapProjection) { self.projection = projection }

  /// Reads `zoom`, `lat` and `lon`. Returns nil for missing or invalid values.
  init?(_ query: Fields) {
    guard let level = Int(query["zoom"]), Self.levels.contains(level),
      let latitude = Self.degrees(query["lat"]), let longitude = Self.degrees(query["lon"]),
      let middle = Coordinates(latitude: latitude, longitude: longitude)
    else { return nil }
    projection = MapProjection(around: middle, width: Self.width(of: level))
  }

  /// A direction in which the map moves.
  enum Move: String, CaseIterable, Sendable {
    case north, south, west, east

    fileprivate var shares: (east: Double, south: Double) {
      switch self {
      case .north: (0, -0.5)
      case .south: (0, 0.5)
      case .west: (-0.5, 0)
      case .east: (0.5, 0)
      }
    }
  }

  /// The query of the next larger map; nil if there is none.
  var zoomedIn: Fields? {
    Self.levels.first { Self.width(of: $0) < 0.75 * projection.width }.flatMap { fields(zoom: $0) }
  }

  /// The query of the next smaller map; nil if there is none.
  var zoomedOut: Fields? {
    Self.levels.last { Self.width(of: $0) > 1.3 * projection.width }.flatMap { fields(zoom: $0) }
  }

  func moved(_ move: Move) -> Fields? {
    let level = Self.levels.last { Self.width(of: $0) > 0.8 * projection.width } ?? 0
    return fields(zoom: level, move.shares.east, move.shares.south)
  }

  private func fields(zoom: Int, _ east: Double = 0, _ south: Double = 0) -> Fields? {
    projection.position(east: east, south: south).map { middle in
      var fields = Fields()
      fields.append("zoom", String(zoom))
      fields.append("lat", Self.rounded(middle.latitude))
      fields.append("lon", Self.rounded(middle.longitude))
      return fields
    }
  }

  /// Returns degrees with three digits, some hundred metres.
  private static func rounded(_ degrees: Double) -> String {
    String(Double(Int((degrees * 1_000).rounded())) / 1_000)
  }

  private static func degrees(_ text: String) -> Double? {
    text.utf8.count <= 12 ? Double(text) : nil
  }

  private static func width(of level: Int) -> Double { widest / Double(1 << level) }
}
