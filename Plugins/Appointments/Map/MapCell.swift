/// A cell of a quadtree over the earth. A feature belongs to the smallest cell that contains all of
/// it.
struct MapCell: Sendable, Hashable {
  /// The number of halvings of the earth; 0 is the whole earth.
  let level: Int
  let column: Int
  let row: Int

  /// Returns the smallest cell of at most `finest` halvings that contains the rectangle.
  init(containing bounds: MapBounds, finest: Int) {
    var level = finest
    while level > 0 {
      let west = Self.column(bounds.west, level)
      let east = Self.column(bounds.east, level)
      let south = Self.row(bounds.south, level)
      let north = Self.row(bounds.north, level)
      if west == east, south == north, (0..<1 << level).contains(west) {
        self.init(level: level, column: west, row: south)
        return
      }
      level -= 1
    }
    self.init(level: 0, column: 0, row: 0)
  }

  private init(level: Int, column: Int, row: Int) {
    self.level = level
    self.column = column
    self.row = row
  }

  /// Returns the columns of a level that a rectangle touches: all of them if it crosses the 180th
  /// meridian.
  static func columns(of bounds: MapBounds, level: Int) -> ClosedRange<Int> {
    guard bounds.west >= -MapPoint.halfTurn, bounds.east <= MapPoint.halfTurn else {
      return 0...(1 << level)
    }
    return column(bounds.west, level)...column(bounds.east, level)
  }

  /// Returns the rows of a level that a rectangle touches.
  static func rows(of bounds: MapBounds, level: Int) -> ClosedRange<Int> {
    row(bounds.south, level)...row(bounds.north, level)
  }

  private static func column(_ east: Int, _ level: Int) -> Int {
    floored(east + MapPoint.halfTurn, level)
  }
  private static func row(_ north: Int, _ level: Int) -> Int {
    floored(north + MapPoint.halfTurn, level)
  }

  private static func floored(_ offset: Int, _ level: Int) -> Int {
    let cells = offset << level
    let whole = 2 * MapPoint.halfTurn
    return cells >= 0 ? cells / whole : -1
  }
}
