/// A level of detail. Each feature is stored once for each level that shows it, thinned for that
/// level's scales.
enum MapDetail: Int, CaseIterable, Sendable {
  case country = 0
  case town = 1
  case street = 2

  /// Returns the level for a map of this width in kilometres.
  init(width: Double) {
    self = width > 80 ? .country : width > 9 ? .town : .street
  }

  /// The tolerance in metres: less than half a map unit at the level's largest scale.
  private var metres: Double {
    switch self {
    case .country: 60
    case .town: 7
    case .street: 2
    }
  }

  var thinning: MapThinning {
    MapThinning(
      tolerance: metres / 1_000 / MapProjection.kilometresPerDegree * Double(MapPoint.perDegree))
  }

  /// The number of halvings of the earth in the smallest cells, which are about as large as a map.
  var finestCells: Int {
    switch self {
    case .country: 8
    case .town: 11
    case .street: 14
    }
  }

  /// The maximum number of points of small streets on a map of a whole town.
  private static let streetLimit = 4_000

  /// Returns true if the level shows features of this kind. A map of a whole town shows its small
  /// streets only if they have few points altogether.
  func shows(_ kind: MapFeature.Kind, ofTownWithStreets points: Int) -> Bool {
    switch self {
    case .country: [.water, .river, .green, .mainRoad, .town].contains(kind)
    case .town: kind != .street || points <= Self.streetLimit
    case .street: true
    }
  }
}
