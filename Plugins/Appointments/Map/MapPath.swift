import PolyclinicCore

/// The data of an SVG path, cut to the map, in quarters of a map unit.
struct MapPath {
  private(set) var bytes: [UInt8] = []
  /// The last written point; nil at the beginning of a line.
  private var last: (x: Int, y: Int)?
  private var command = UInt8(ascii: "M")

  /// The parts of a map unit in which a path is written. A browser shows them after zooming in.
  static let parts = 4.0
  /// Points nearer than this are left out, in parts of a unit.
  private static let least = 2
  /// The width of the edge that is drawn around the map, so that the cut does not show.
  private static let edge = 12.0
  private static let right = Double(MapProjection.size.width) + edge
  private static let bottom = Double(MapProjection.size.height) + edge

  private typealias Point = MapProjection.Point

  /// Adds a line. Segments that lie beyond one side of the map are left out.
  mutating func add(line: [MapProjection.Point]) {
    last = nil
    for (one, other) in zip(line, line.dropFirst()) {
      guard Self.sides(of: one) & Self.sides(of: other) == 0 else {
        last = nil
        continue
      }
      if last == nil { write(one) }
      write(other)
    }
  }

  /// Adds a ring, cut to the map (Sutherland and Hodgman 1974, Reentrant polygon clipping).
  mutating func add(ring: [MapProjection.Point]) {
    var ring = ring
    if ring.contains(where: { Self.sides(of: $0) != 0 }) {
      ring = Self.cut(ring, depth: { $0.x + Self.edge }, at: { Point(x: -Self.edge, y: $0.y) })
      ring = Self.cut(ring, depth: { Self.right - $0.x }, at: { Point(x: Self.right, y: $0.y) })
      ring = Self.cut(ring, depth: { $0.y + Self.edge }, at: { Point(x: $0.x, y: -Self.edge) })
      ring = Self.cut(ring, depth: { Self.bottom - $0.y }, at: { Point(x: $0.x, y: Self.bottom) })
    }
    guard ring.count >= 3 else { return }
    last = nil
    for point in ring { write(point) }
    bytes.append(UInt8(ascii: "z"))
  }

  /// Returns the part of a ring on the inner side of an edge. `depth` is positive inside; `moved`
  /// returns a point moved onto the edge, so that rounding leaves none beside it.
  private static func cut(
    _ ring: [Point], depth: (Point) -> Double, at moved: (Point) -> Point
  ) -> [Point] {
    guard var before = ring.last else { return [] }
    var kept: [Point] = []
    for point in ring {
      let (from, to) = (depth(before), depth(point))
      if (from < 0) != (to < 0) {
        let share = from / (from - to)
        let crossing = Point(
          x: before.x + (point.x - before.x) * share, y: before.y + (point.y - before.y) * share)
        kept.append(moved(crossing))
      }
      if to >= 0 { kept.append(point) }
      before = point
    }
    return kept
  }

  /// The sides of the map beyond which a point lies, as bits.
  private static func sides(of point: Point) -> UInt8 {
    (point.x < -edge ? 1 : 0) | (point.x > right ? 2 : 0) | (point.y < -edge ? 4 : 0)
      | (point.y > bottom ? 8 : 0)
  }

  private mutating func write(_ point: Point) {
    let (x, y) = (Self.part(point.x), Self.part(point.y))
    guard let last else {
      append(UInt8(ascii: "M"), x, y)
      self.last = (x, y)
      return
    }
    let (dx, dy) = (x - last.x, y - last.y)
    if abs(dx) < Self.least && abs(dy) < Self.least { return }
    append(UInt8(ascii: "l"), dx, dy)
    self.last = (x, y)
  }

  /// Appends a command with two numbers. A repeated command needs no letter, a minus sign no blank.
  private mutating func append(_ letter: UInt8, _ x: Int, _ y: Int) {
    let isRepeated =
      letter == UInt8(ascii: "l") && command == letter && bytes.last != UInt8(ascii: "z")
    if !isRepeated { bytes.append(letter) }
    command = letter
    if isRepeated && x >= 0 { bytes.append(UInt8(ascii: " ")) }
    bytes.append(decimal: Int64(x))
    if y >= 0 { bytes.append(UInt8(ascii: " ")) }
    bytes.append(decimal: Int64(y))
  }

  /// A point far outside, at the largest scale, still fits into an integer of the browser.
  private static func part(_ value: Double) -> Int {
    Int((min(1e6, max(-1e6, value)) * parts).rounded())
  }
}
