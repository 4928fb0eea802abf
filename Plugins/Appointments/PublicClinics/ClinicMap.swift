import PolyclinicCore
import PolyclinicPlaces

/// A map with a numbered mark for each clinic, and the same clinics as a list below.
///
/// The server draws the map. No tiles are loaded from third parties, so none of them learns the visitor's area.
struct ClinicMap {
  private let marks: [Mark]
  /// The clinics without known coordinates.
  private let others: [FoundClinic]
  private let projection: MapProjection?
  private let start: Coordinates?
  private let nearest: ID<Clinic>?
  private let context: Context

  /// The radius of a mark, in map units.
  private static let radius = 24.0

  private struct Mark {
    let number: Int
    let found: FoundClinic
    /// The location of the clinic.
    let place: MapProjection.Point
    /// The position of the mark: beside the location if another mark covers it.
    let point: MapProjection.Point
  }

  /// Numbers the clinics in the given order. `start` is the place from which distances are measured.
  init(_ found: [FoundClinic], from start: Coordinates?, _ context: Context) {
    let placed = found.filter { $0.clinic.coordinates != nil }
    let known = placed.compactMap(\.clinic.coordinates)
    // A start that is far away compared with the distances between the clinics is not drawn, only named.
    let start = start.flatMap { Self.isNear($0, to: known) ? $0 : nil }
    projection = MapProjection(showing: known + (start.map { [$0] } ?? []))
    self.start = start
    nearest = found.nearest
    others = found.filter { $0.clinic.coordinates == nil }
    self.context = context
    guard let projection else {
      marks = []
      return
    }
    let places = known.map(projection.point)
    let points = Self.apart(places)
    marks = placed.indices.map { index in
      Mark(
        number: index + 1, found: placed[index], place: places[index], point: points[index])
    }
  }

  var html: HTML {
    """
    \(picture)\(orderedRows: rows)
    """
  }

  private var rows: [HTML] {
    let known = marks.map {
      $0.found.row(number: $0.number, isNearest: $0.found.clinic.id == nearest, context)
    }
    return known + others.map { $0.row(context) }
  }

  private var picture: HTML? {
    guard let projection else { return nil }
    let (width, height) = MapProjection.size
    return """
      <figure class="map" aria-label="\(context.text("map.label"))">\
      <svg viewBox="0 0 \(width) \(height)">\
      <rect class="ground" width="\(width)" height="\(height)" rx="24"/>\
      \(graticule(projection))\(each: marks, leader)\(here(projection))\(bar(projection))\
      \(each: marks, link)</svg>\
      <figcaption>\(context.text("map.caption"))</figcaption></figure>
      """
  }

  private func graticule(_ projection: MapProjection) -> HTML {
    let (width, height) = MapProjection.size
    let lines = projection.graticule
    return """
      <path class="graticule" d="\(each: lines.x, { "M\(rounded($0)) 0V\(height)" })\
      \(each: lines.y, { "M0 \(rounded($0))H\(width)" })"/>
      """
  }

  /// Returns the line from a location to a mark beside it.
  private func leader(_ mark: Mark) -> HTML {
    if mark.place == mark.point { return HTML() }
    return """
      <path class="leader" d="M\(rounded(mark.place.x)) \(rounded(mark.place.y))\
      L\(rounded(mark.point.x)) \(rounded(mark.point.y))"/>\
      <circle class="spot" cx="\(rounded(mark.place.x))" cy="\(rounded(mark.place.y))" r="5"/>
      """
  }

  private func here(_ projection: MapProjection) -> HTML? {
    start.map { place in
      let point = projection.point(of: place)
      return """
        <g class="here" role="img" aria-label="\(context.text("map.here"))">\
        <circle cx="\(rounded(point.x))" cy="\(rounded(point.y))" r="16"/>\
        <circle class="dot" cx="\(rounded(point.x))" cy="\(rounded(point.y))" r="5"/></g>
        """
    }
  }

  private func bar(_ projection: MapProjection) -> HTML {
    let kilometres = projection.scaleBar
    let length = rounded(kilometres / projection.scale)
    let digits = kilometres < 1 ? 1 : 0
    let number = context.formats.number(kilometres, fractionDigits: digits)
    return """
      <g class="scale"><path d="M24 446v12h\(length)v-12"/><text x="32" y="444">\
      \(context.text("clinics.distance", ["distance": number]))</text></g>
      """
  }

  private func link(_ mark: Mark) -> HTML {
    let (x, y) = (rounded(mark.point.x), rounded(mark.point.y))
    let clinic = mark.found.clinic
    let isNearest = clinic.id == nearest
    let name = clinic.name.string(in: context.language)
    let words = [
      "\(mark.number). \(name)", mark.found.distance.map { context.distance($0) } ?? "",
      isNearest ? context.text("clinics.nearest") : "",
    ].filter { !$0.isEmpty }.joined(separator: ", ")
    return """
      <a href="/appointments/clinics/\(clinic.id)" class="mark\
      \(attribute: " nearest", if: isNearest)" aria-label="\(words)"><title>\(words)</title>\
      <circle class="target" cx="\(x)" cy="\(y)" r="32"/>\
      <circle cx="\(x)" cy="\(y)" r="\(rounded(Self.radius))"/>\
      <text x="\(x)" y="\(y + 9)">\(mark.number)</text></a>
      """
  }

  private func rounded(_ value: Double) -> Int { Int(value.rounded()) }

  private static func isNear(_ start: Coordinates, to places: [Coordinates]) -> Bool {
    let distances = places.map(start.distance)
    guard let least = distances.min(), let most = distances.max() else { return true }
    return least < 300 || least < 3 * (most - least)
  }

  /// Returns the points, with each that would cover an earlier one moved to a free position. Candidates are on
  /// growing rings around its location.
  static func apart(_ places: [MapProjection.Point]) -> [MapProjection.Point] {
    var taken: [MapProjection.Point] = []
    for place in places {
      let free = ring(around: place).first { point in
        isOnMap(point) && taken.allSatisfy { $0.distance(to: point) >= 2 * radius + 4 }
      }
      taken.append(free ?? place)
    }
    return taken
  }

  private static func isOnMap(_ point: MapProjection.Point) -> Bool {
    (radius...Double(MapProjection.size.width) - radius).contains(point.x)
      && (radius...Double(MapProjection.size.height) - radius).contains(point.y)
  }

  private static func ring(around place: MapProjection.Point) -> [MapProjection.Point] {
    let diagonal = 0.5.squareRoot()
    let directions = [
      (1.0, 0.0), (0, -1.0), (-1.0, 0), (0, 1.0), (diagonal, -diagonal), (-diagonal, -diagonal),
      (-diagonal, diagonal), (diagonal, diagonal),
    ]
    return [place]
      + (1...8).flatMap { ring in
        directions.map { direction in
          let length = Double(ring) * (2 * radius + 4)
          return MapProjection.Point(
            x: place.x + direction.0 * length, y: place.y + direction.1 * length)
        }
      }
  }
}
