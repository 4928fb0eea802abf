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

/// The links and buttons that zoom and move a map.
struct MapTools {
  private let view: MapView?
  /// True if the map does not show all clinics.
  private let isMoved: Bool
  private let path: ((Fields) -> Path)?

  /// Links lead from `view` to other parts of the map, whose addresses `path` returns.
  init(from view: MapView?, isMoved: Bool, _ path: ((Fields) -> Path)?) {
    self.view = view
    self.isMoved = isMoved
    self.path = path
  }

  func html(_ context: Context) -> HTML {
    "<div class=\"map-tools\">\(path.flatMap { links($0, context) } ?? buttons(context))</div>"
  }

  private func links(_ path: (Fields) -> Path, _ context: Context) -> HTML? {
    guard let view else { return nil }
    var tools: [(label: Text, sign: StaticString, part: Fields?)] = [
      ("map.zoom-in", "+", view.zoomedIn), ("map.zoom-out", "−", view.zoomedOut),
    ]
    tools += MapView.Move.allCases.map { ($0.label, $0.sign, view.moved($0)) }
    if isMoved { tools.append(("map.all", "◎", Fields())) }
    let links: [HTML] = tools.compactMap { label, sign, part in
      part.map { part in
        """
        <a class="tool" href="\(path(part))#map" aria-label="\(context.text(label))" \
        title="\(context.text(label))">\(sign)</a>
        """
      }
    }
    return "\(links)"
  }

  /// Returns buttons for the script, because the address of another part of this map would tell the
  /// visitor's place.
  private func buttons(_ context: Context) -> HTML {
    let tools: [(label: Text, zoom: StaticString, sign: StaticString)] = [
      ("map.zoom-in", "in", "+"), ("map.zoom-out", "out", "−"),
    ]
    let buttons: [HTML] = tools.map { label, zoom, sign in
      """
      <button type="button" class="tool" data-zoom="\(zoom)" hidden \
      aria-label="\(context.text(label))" title="\(context.text(label))">\(sign)</button>
      """
    }
    return "\(buttons)"
  }
}

extension MapView.Move {
  fileprivate var label: Text {
    switch self {
    case .north: "map.north"
    case .south: "map.south"
    case .west: "map.west"
    case .east: "map.east"
    }
  }

  fileprivate var sign: StaticString {
    switch self {
    case .north: "↑"
    case .south: "↓"
    case .west: "←"
    case .east: "→"
    }
  }
}
