import PolyclinicCore
import PolyclinicPlaces

/// A map with a numbered mark and the name of each clinic, and the same clinics as a list beside
/// it.
///
/// The server draws the map. No tiles are loaded from third parties, so none of them learns the
/// visitor's area.
struct ClinicMap {
  private let marks: [Mark]
  /// All clinics in the order of the list, the ones without coordinates last.
  private let found: [FoundClinic]
  private let projection: MapProjection?
  private let ground: MapGround
  private let start: Coordinates?
  private let nearest: ID<Clinic>?
  private let tools: MapTools
  private let context: Context

  /// The radius of a mark, in map units.
  private static let radius = 20.0
  /// The least distance between two marks, so that each can be pressed on a narrow screen.
  private static let distance = 48.0

  /// The size of the middle part that the map of one clinic shows, so that its names are large on a
  /// phone.
  private static let cut = (width: 400.0, height: 200.0)

  private struct Mark {
    let number: Int
    let found: FoundClinic
    /// The location of the clinic.
    let place: MapProjection.Point
    /// The position of the mark: beside the location if another mark covers it.
    let point: MapProjection.Point
  }

  /// Numbers the clinics in the given order. `start` is the place from which distances are
  /// measured, `view` the part of the map that the visitor has chosen. `path` returns the address
  /// of another part; without it, the map moves only by script.
  init(
    _ found: [FoundClinic], from start: Coordinates?, view: MapView? = nil,
    path: ((Fields) -> Path)? = nil, _ context: Context
  ) throws {
    let placed = found.filter { $0.clinic.coordinates != nil }
    let known = placed.compactMap(\.clinic.coordinates)
    // A start that is far away compared with the distances between the clinics is not drawn, only
    // named.
    let start = start.flatMap { Self.isNear($0, to: known) ? $0 : nil }
    let projection = view?.projection ?? MapProjection(showing: known + (start.map { [$0] } ?? []))
    self.projection = projection
    self.start = start
    nearest = found.nearest
    self.found = placed + found.filter { $0.clinic.coordinates == nil }
    self.context = context
    // The links start from a map of the clinics alone, because an address must not tell the
    // visitor's place.
    tools = MapTools(
      from: view ?? MapProjection(showing: known).map(MapView.init), isMoved: view != nil, path)
    guard let projection else {
      (marks, ground) = ([], MapGround())
      return
    }
    let here = start.map(projection.point)
    let places = placed.indices.map { (index: $0, point: projection.point(of: known[$0])) }
      .filter { Self.isOnMap($0.point) }
    let points = Self.apart(places.map(\.point), around: here)
    marks = zip(places, points).map { place, point in
      Mark(number: place.index + 1, found: placed[place.index], place: place.point, point: point)
    }
    ground = try MapGround.find(
      projection, countries: Set(placed.map(\.clinic.address.country)), context)
  }

  var html: HTML {
    """
    <div class="map-and-list" id="map">\(picture)\(orderedRows: rows)</div>
    """
  }

  private var rows: [HTML] {
    let shown = Set(marks.map(\.number))
    let numbered = found.enumerated().map { (number: $0.offset + 1, found: $0.element) }
    // The clinics in the part that the visitor has chosen come first.
    let ordered =
      numbered.filter { shown.contains($0.number) } + numbered.filter { !shown.contains($0.number) }
    return ordered.map { number, found in
      found.clinic.coordinates == nil
        ? found.row(context)
        : found.row(number: number, isNearest: found.clinic.id == nearest, context)
    }
  }

  private var picture: HTML? {
    guard let projection else { return nil }
    let (width, height) = MapProjection.size
    let drawing = MapDrawing(ground, projection, in: context.language)
    let here = start.map(projection.point)
    let texts = MapText.Screen.allCases.map { names(of: drawing, beside: here, on: $0) }
    return """
      <figure class="map" aria-label="\(context.text("map.label"))" data-map><svg viewBox="0 0 \(width) \(height)">\
      <rect class="ground" x="-9" y="-9" width="\(width + 18)" height="\(height + 18)"/>\
      \(drawing.shapes)<g aria-hidden="true">\(each: texts, { $0.ground })</g>\(bar(projection))\
      \(each: marks, leader)\
      \(each: marks.indices, { place in
        link(marks[place], "\(each: texts.compactMap { $0.marks[place].html }, { $0 })")
      })\(here.map(hereMark))</svg>\
      \(tools.html(context))\(caption)</figure>
      """
  }

  /// Returns the names of the clinics and of the ground that have room on a screen.
  private func names(
    of drawing: MapDrawing, beside here: MapProjection.Point?, on screen: MapText.Screen
  ) -> (marks: [MapName], ground: HTML) {
    var labels = MapLabels()
    labels.take(MapLabels.Box(around: .init(x: 110, y: 452), width: 200, height: 40))
    // The buttons lie over the corner of a wide screen.
    if screen == .wide {
      labels.take(MapLabels.Box(around: .init(x: 470, y: 26), width: 340, height: 52))
    }
    if let here { labels.take(MapLabels.Box(around: here, width: 40, height: 40)) }
    for mark in marks {
      labels.take(
        MapLabels.Box(around: mark.point, width: 2 * Self.radius + 4, height: 2 * Self.radius + 4))
    }
    let names = marks.map {
      MapName(
        $0.found.clinic.name.string(in: context.language), of: $0.point, on: screen, &labels)
    }
    let ground = drawing.names(&labels, on: screen)
    return (names, "<g class=\"\(screen.style)\">\(ground)</g>")
  }

  /// Returns a small map with a mark at the clinic; nil if its position is unknown, or if no map of
  /// the area was imported.
  static func place(of clinic: Clinic, _ context: Context) throws -> HTML? {
    guard let place = clinic.coordinates else { return nil }
    let projection = MapProjection(around: place, width: 3.2)
    let ground = try MapGround.find(projection, countries: [clinic.address.country], context)
    // The names of towns are known without an import.
    guard ground.features.contains(where: { $0.kind != .town }) else { return nil }
    let drawing = MapDrawing(ground, projection, in: context.language)
    let (width, height) = (Double(MapProjection.size.width), Double(MapProjection.size.height))
    let middle = MapProjection.Point(x: width / 2, y: height / 2)
    let (half, side) = (cut.width / 2, cut.height / 2)
    var labels = MapLabels()
    labels.take(MapLabels.Box(around: middle, width: 2 * radius, height: 2 * radius))
    // No name crosses the edge of the part that is shown.
    for sign in [-1.0, 1] {
      labels.take(
        MapLabels.Box(
          around: .init(x: middle.x + sign * (width / 4 + half / 2), y: middle.y),
          width: width / 2 - half, height: height))
      labels.take(
        MapLabels.Box(
          around: .init(x: middle.x, y: middle.y + sign * (height / 4 + side / 2)), width: width,
          height: height / 2 - side))
    }
    let names = drawing.names(&labels)
    let name = clinic.name.string(in: context.language)
    let corner = (x: Int(middle.x - half), y: Int(middle.y - side))
    return """
      <figure class="map place"><svg viewBox="\(corner.x) \(corner.y) \(Int(cut.width)) \(Int(cut.height))" \
      role="img" aria-label="\(context.text("map.place", ["clinic": name]))">\
      <rect class="ground" width="\(Int(width))" height="\(Int(height))"/>\(drawing.shapes)\
      \(names)<g class="mark" transform="translate(\(Int(middle.x)) \(Int(middle.y)))">\
      <circle r="14"/></g></svg>\
      \(credit(of: ground).map { "<figcaption>\($0)</figcaption>" })</figure>
      """
  }

  private static func credit(of ground: MapGround) -> HTML? {
    ground.attribution.isEmpty
      ? nil : " <span class=\"credit\"><bdi>\(ground.attribution)</bdi></span>"
  }

  private var caption: HTML {
    let legend: [HTML?] = [
      entry("map.legend.clinic", "mark"),
      marks.contains { isClosed($0.found) } ? entry("clinic.shut", "mark closed") : nil,
      nearest == nil ? nil : entry("map.legend.nearest", "mark nearest"),
      start == nil ? nil : entry("map.here", "here"),
    ]
    return """
      <figcaption><ul class="legend">\(legend.compactMap(\.self))</ul>\(context.text("map.caption"))\
      \(Self.credit(of: ground))</figcaption>
      """
  }

  /// Returns an entry of the legend, with a mark that is drawn by the same classes as on the map.
  private func entry(_ label: Text, _ mark: StaticString) -> HTML {
    """
    <li><svg viewBox="-24 -24 48 48" aria-hidden="true"><g class="\(mark)"><circle r="18"/>\
    <circle class="dot" r="6"/></g></svg>\(context.text(label))</li>
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

  private func hereMark(_ point: MapProjection.Point) -> HTML {
    """
    <g class="here" role="img" aria-label="\(context.text("map.here"))" data-fixed \
    transform="translate(\(rounded(point.x)) \(rounded(point.y)))">\
    <circle class="halo" r="17"/><circle r="14"/><circle class="dot" r="5"/></g>
    """
  }

  private func bar(_ projection: MapProjection) -> HTML {
    let kilometres = projection.scaleBar
    let length = rounded(kilometres / projection.scale)
    let number = context.formats.number(kilometres, atMost: 2)
    return """
      <g class="scale" data-fixed transform="translate(24 462)"><path d="M0-12V0H\(length)V-12"/>\
      <text x="\(length / 2)" y="-8">\(context.text("clinics.distance", ["distance": number]))</text></g>
      """
  }

  /// True if the clinic has opening hours and is closed now.
  private func isClosed(_ found: FoundClinic) -> Bool {
    guard let opening = found.opening, !opening.hours.isEmpty else { return false }
    if case .closed = opening.state(at: context.now) { return true }
    return false
  }

  private func link(_ mark: Mark, _ label: HTML) -> HTML {
    let clinic = mark.found.clinic
    let isNearest = clinic.id == nearest
    let name = clinic.name.string(in: context.language)
    let words = [
      "\(mark.number). \(name)", mark.found.distance.map { context.distance($0) } ?? "",
      isNearest ? context.text("clinics.nearest") : "",
      isClosed(mark.found) ? context.text("clinic.shut") : "",
    ].filter { !$0.isEmpty }.joined(separator: ", ")
    return """
      <a href="\(ClinicPage.path(clinic.id))" class="mark\
      \(attribute: " nearest", if: isNearest)\(attribute: " closed", if: isClosed(mark.found))" aria-label="\(words)" data-fixed \
      transform="translate(\(rounded(mark.point.x)) \(rounded(mark.point.y)))"><title>\(words)</title>\
      <circle class="target" r="26"/><circle r="\(rounded(Self.radius))"/>\
      <text y="7">\(mark.number)</text>\(label)</a>
      """
  }

  private func rounded(_ value: Double) -> Int { Int(value.rounded()) }

  private static func isNear(_ start: Coordinates, to places: [Coordinates]) -> Bool {
    let distances = places.map(start.distance)
    guard let least = distances.min(), let most = distances.max() else { return true }
    return least < 300 || least < 3 * (most - least)
  }

  /// Returns the points, with each that would cover an earlier one or `here` moved to a free
  /// position. Candidates are on growing rings around its location.
  static func apart(
    _ places: [MapProjection.Point], around here: MapProjection.Point? = nil
  ) -> [MapProjection.Point] {
    var taken: [MapProjection.Point] = []
    for place in places {
      let free = ring(around: place).first { point in
        isOnMap(point) && taken.allSatisfy { $0.distance(to: point) >= distance }
          && (here.map { $0.distance(to: point) >= 36 } ?? true)
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
          let length = Double(ring) * distance
          return MapProjection.Point(
            x: place.x + direction.0 * length, y: place.y + direction.1 * length)
        }
      }
  }
}
