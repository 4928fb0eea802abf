import PolyclinicCore
import PolyclinicPlaces

/// The data below the marks of a map: the imported features, and names of towns where these have
/// none.
struct MapGround {
  private(set) var features: [MapFeature] = []
  private(set) var attribution = ""

  /// The maximum number of points of a drawn map. The smallest features beyond it are left out.
  private static let pointLimit = 8_000
  /// The maximum number of towns by the gazetteer.
  private static let townLimit = 25

  /// Returns the features that the map shows. `countries` are those of the clinics, whose towns
  /// give orientation where no map was imported.
  static func find(
    _ projection: MapProjection, countries: Set<String>, _ context: Context
  ) throws -> MapGround {
    var ground = MapGround()
    let bounds = projection.bounds
    let detail = MapDetail(width: projection.width)
    if let map = try StoredMap.find(in: context) {
      ground.attribution = map.attribution
      ground.features = try map.features(within: bounds, detail, in: context).compactMap {
        $0.moved(into: bounds)
      }
    }
    ground.keepLargest()
    if !ground.features.contains(where: { [.town, .place].contains($0.kind) }) {
      ground.features += try towns(within: bounds, countries: countries, context)
    }
    return ground
  }

  private mutating func keepLargest() {
    var left = Self.pointLimit
    func isTooMuch() -> Bool { features.reduce(0) { $0 + $1.pointCount } > left }
    // Half of the small streets would look like a plan of another town.
    if isTooMuch() { features.removeAll { $0.kind == .street } }
    guard isTooMuch() else { return }
    let order = features.map { (extent: $0.bounds?.extent ?? 0, feature: $0) }
    features = order.sorted { $0.extent > $1.extent }.map(\.feature).filter { feature in
      left -= feature.pointCount
      return left >= 0
    }
  }

  private static func towns(
    within bounds: MapBounds, countries: Set<String>, _ context: Context
  ) throws -> [MapFeature] {
    let gazetteer = try context.portal.gazetteer
    return countries.sorted().prefix(3).flatMap { country in
      gazetteer.largest(in: country, limit: townLimit) { bounds.contains($0) }
    }.compactMap { place in
      guard
        let point = MapPoint(
          latitude: place.coordinates.latitude, longitude: place.coordinates.longitude)
      else { return nil }
      let name = LocalizedText(
        english: place.name(in: .english), russian: place.name(in: .russian),
        hebrew: place.name(in: .hebrew))
      return MapFeature(kind: .town, name: name, lines: [[point]]).moved(into: bounds)
    }
  }
}

extension MapFeature {
  /// Returns the feature on the map's side of the 180th meridian; nil if it does not touch the map.
  fileprivate func moved(into view: MapBounds) -> MapFeature? {
    guard let bounds else { return nil }
    let turn = 2 * MapPoint.halfTurn
    let turns = (Double(view.west + view.east - bounds.west - bounds.east) / 2 / Double(turn))
      .rounded()
    let shift = Int(turns) * turn
    guard bounds.west + shift <= view.east, bounds.east + shift >= view.west,
      bounds.south <= view.north, bounds.north >= view.south
    else { return nil }
    if shift == 0 { return self }
    var feature = self
    feature.lines = lines.map { $0.map { MapPoint(east: $0.east + shift, north: $0.north) } }
    return feature
  }
}

extension MapBounds {
  /// True if the position is within the rectangle, on either side of the 180th meridian.
  fileprivate func contains(_ place: Coordinates) -> Bool {
    let unit = Double(MapPoint.perDegree)
    let middle = Double(west + east) / 2 / unit
    let longitude = MapProjection.nearest(place.longitude, to: middle) * unit
    return (Double(west)...Double(east)).contains(longitude)
      && (Double(south)...Double(north)).contains(place.latitude * unit)
  }
}
