import PolyclinicCore
import PolyclinicPlaces
import Testing

@testable import Appointments

/// Thinning, cells and the path of a map.
@Suite struct MapThinningTests {
  private func line(_ points: (Int, Int)...) -> [MapPoint] {
    points.map { MapPoint(east: $0.0, north: $0.1) }
  }

  @Test func `points on a straight line are left out, corners stay`() {
    let thinning = MapThinning(tolerance: 5)
    let bent = line((0, 0), (100, 1), (200, 0), (200, 100), (201, 200))
    #expect(thinning.thinned(bent) == line((0, 0), (200, 0), (201, 200)))
    #expect(thinning.thinned(line((0, 0))) == line((0, 0)))
  }

  @Test func `a closed ring keeps its farthest points`() {
    let ring = line((0, 0), (100, 0), (100, 100), (0, 100), (0, 0))
    #expect(MapThinning(tolerance: 5).thinned(ring) == ring)
  }

  @Test func `an area below the tolerance is dropped, a place never`() {
    let pond = MapFeature(
      kind: .water, name: LocalizedText(), lines: [line((0, 0), (3, 0), (3, 3), (0, 0))])
    #expect(MapThinning(tolerance: 5).thinned(pond) == nil)
    let village = MapFeature(kind: .place, name: LocalizedText(english: "A"), lines: [line((0, 0))])
    #expect(MapThinning(tolerance: 5).thinned(village) == village)
  }

  @Test func `long zigzags are thinned in linear time`() {
    let zigzag = (0..<20_000).map { MapPoint(east: $0 * 10, north: $0 % 2 * 1_000) }
    #expect(MapThinning(tolerance: 5).thinned(zigzag).count == zigzag.count)
  }

  @Test func `a feature belongs to the smallest cell around it`() {
    let small = MapCell(
      containing: MapBounds(MapPoint(east: 10, north: 10), MapPoint(east: 20, north: 20)),
      finest: 14)
    #expect(small.level == 14)
    let middle = MapCell(
      containing: MapBounds(MapPoint(east: -1, north: -1), MapPoint(east: 1, north: 1)), finest: 14)
    #expect(middle.level == 0)
    let beyond = MapPoint.halfTurn + 5
    let across = MapCell(
      containing: MapBounds(MapPoint(east: beyond - 9, north: 0), MapPoint(east: beyond, north: 9)),
      finest: 14)
    #expect(across.level == 0)
  }

  @Test(arguments: [(90.0, 0.0), (-90.0, 180.0), (0.0, -180.0), (53.9, 27.5), (-17.0, 179.99)])
  func `each view reads the cells of the features within it`(
    _ latitude: Double, _ longitude: Double
  ) throws {
    let middle = try #require(Coordinates(latitude: latitude, longitude: longitude))
    let point = try #require(MapPoint(latitude: latitude, longitude: longitude))
    for width in [0.6, 20, 2_000, 50_000] {
      let bounds = MapProjection(around: middle, width: width).bounds
      for finest in [8, 11, 14] {
        let cell = MapCell(containing: MapBounds(point, point), finest: finest)
        #expect(MapCell.columns(of: bounds, level: cell.level).contains(cell.column))
        #expect(MapCell.rows(of: bounds, level: cell.level).contains(cell.row))
      }
    }
  }

  @Test func `a ring around the map becomes its rectangle, a ring beside it nothing`() {
    func ring(_ points: (Double, Double)...) -> String {
      var path = MapPath()
      path.add(ring: points.map { MapProjection.Point(x: $0.0, y: $0.1) })
      return String(decoding: path.bytes, as: UTF8.self)
    }
    let around = ring((-1e9, -1e9), (1e9, -1e9), (1e9, 1e9), (-1e9, 1e9), (-1e9, -1e9))
    #expect(around.hasPrefix("M") && around.hasSuffix("z") && around.utf8.count < 60)
    #expect(ring((900, 0), (990, 0), (990, 90), (900, 0)) == "")
  }

  @Test func `segments beyond one side of the map are not written`() {
    var path = MapPath()
    path.add(
      line: [(-50.0, 0.0), (-40, 9), (10, 10), (20, 20), (20, 900), (30, 990)].map {
        .init(x: $0.0, y: $0.1)
      })
    #expect(String(decoding: path.bytes, as: UTF8.self) == "M-160 36l200 4 40 40 0 3520")
  }
}
