import PolyclinicCore
import Testing

@testable import Appointments

/// The bounds and the meaning of imported map files.
@Suite struct MapFileTests {
  private static func collection(_ features: String...) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  private static func feature(_ type: String, _ coordinates: String, _ tags: String) -> String {
    """
    {"type":"Feature","properties":{\(tags)},
     "geometry":{"type":"\(type)","coordinates":\(coordinates)}}
    """
  }

  private static let street = feature(
    "LineString", "[[27.5,53.9],[27.6,53.9]]", "\"highway\":\"primary\"")

  private func read(_ text: String) throws -> MapFile { try MapFile(Array(text.utf8)) }

  private func refusal(_ text: String) -> String {
    refusal(Array(text.utf8))
  }

  private func refusal(_ bytes: [UInt8]) -> String {
    do {
      _ = try MapFile(bytes)
      return ""
    } catch { return "\(error)" }
  }

  @Test func `tags decide the kind of a feature, at the top or in tags`() throws {
    let square = "[[[27,53],[28,53],[28,54],[27,53]]]"
    let file = try read(
      Self.collection(
        Self.street, Self.feature("Polygon", square, "\"natural\":\"water\""),
        Self.feature("Polygon", square, "\"tags\":{\"leisure\":\"park\"}"),
        Self.feature("LineString", "[[27,53],[28,54]]", "\"waterway\":\"river\""),
        Self.feature("LineString", "[[27,53],[28,54]]", "\"railway\":\"rail\""),
        Self.feature("MultiLineString", "[[[27,53],[28,54]]]", "\"highway\":\"tertiary\""),
        Self.feature("LineString", "[[27,53],[28,54]]", "\"highway\":\"residential\""),
        Self.feature(
          "MultiPolygon", "[\(square)]", "\"boundary\":\"administrative\",\"admin_level\":\"9\""),
        Self.feature("Point", "[27,53]", "\"place\":\"suburb\",\"name\":\"Серебрянка\""),
        Self.feature("Point", "[27,53]", "\"place\":\"town\",\"name:he\":\"מינסק\""),
        Self.feature("Point", "[27,53]", "\"amenity\":\"bench\"")))
    #expect(
      file.features.map(\.kind) == [
        .mainRoad, .water, .green, .river, .railway, .mainStreet, .street, .district, .place, .town,
      ])
    #expect(file.skipped == 1)
    #expect(file.features[8].name.russian == "Серебрянка")
    #expect(file.features[9].name.string(in: .english) == "מינסק")
  }

  @Test func `rings get one direction, whichever they have in the file`() throws {
    let rings = "[[[0,0],[0,9],[9,9],[9,0],[0,0]],[[2,2],[4,2],[4,4],[2,4],[2,2]]]"
    let water = try read(Self.collection(Self.feature("Polygon", rings, "\"natural\":\"water\"")))
      .features[0]
    #expect(water.lines[0].doubledArea > 0 && water.lines[1].doubledArea < 0)
  }

  @Test func `a line across the 180th meridian continues beyond it`() throws {
    let line = Self.feature("LineString", "[[179.9,-17],[-179.9,-17]]", "\"highway\":\"primary\"")
    let bounds = try #require(try read(Self.collection(line)).features[0].bounds)
    #expect(bounds.east - bounds.west == MapPoint.perDegree / 5)
  }

  @Test func `a line around the earth is refused`() {
    let points = (0..<40).map { "[\($0 * 100 % 360 - 180),0]" }.joined(separator: ",")
    let line = Self.feature("LineString", "[\(points)]", "\"highway\":\"primary\"")
    #expect(refusal(Self.collection(line)).hasPrefix("Feature 1 has a line that winds"))
  }

  @Test(arguments: [
    "[[91,0],[0,91]]", "[[NaN,0],[0,0]]", "[[Infinity,0],[0,0]]", "[[1e999,0],[0,0]]",
    "[[-180.1,0],[0,0]]",
    "[[1],[2]]", "[[1,2]]", "[[\"1\",\"2\"],[3,4]]", "[]", "null", "{}", "7", "[[1,2,3,4,5],[1,2]]",
  ])
  func `a feature with invalid positions is refused with its number`(_ coordinates: String) {
    let wrong = Self.feature("LineString", coordinates, "\"highway\":\"primary\"")
    #expect(refusal(Self.collection(Self.street, wrong)).hasPrefix("Feature 2 has"))
  }

  @Test(arguments: [
    ("", "is not JSON"), ("{", "Line 1"), ("[]", "is no FeatureCollection"),
    ("{\"type\":\"FeatureCollection\",\"features\":[]}", "has no water"),
    ("{\"type\":\"FeatureCollection\",\n\"features\":[1,\n}", "Line 3"),
    ("{\"type\":\"FeatureCollection\",\"features\":[{}]}", "Feature 1"),
    (String(repeating: "[", count: 100_000), "nested too deeply"),
    ("{\"type\":\"FeatureCollection\",\"type\":\"x\",\"features\":[]}", "is not JSON"),
    ("<osm version='0.6'/>", "Make GeoJSON of an OpenStreetMap extract by `osmium export`"),
    ("\u{0}\u{0}\u{0}\u{d}\n\tOSMHeader", "Make GeoJSON"),
  ])
  func `a broken file is refused with the reason`(_ text: String, _ reason: String) {
    #expect(refusal(text).contains(reason), "\(refusal(text))")
  }

  @Test func `text that is not UTF-8 is refused`() {
    let json =
      Array("{\"type\":\"FeatureCollection\",\"x\":\"".utf8) + [0xFF]
      + Array("\",\"features\":[]}".utf8)
    #expect(refusal(json).contains("is not JSON"))
  }

  @Test func `a name beyond OpenStreetMap's limit is refused`() {
    for letter in ["a", "ж", "א", "🏥"] {
      let longest = String(repeating: letter, count: 255)
      func place(_ name: String) -> String {
        Self.collection(
          Self.feature("Point", "[1,1]", "\"place\":\"town\",\"name\":\"\(name)\""))
      }
      #expect(refusal(place(longest + "a")).contains("more than 255"), "\(letter)")
      #expect(refusal(place(longest)).isEmpty, "\(letter)")
    }
  }

  @Test func `more features than the limit are refused`() throws {
    let two = Array(Self.collection(Self.street, Self.street).utf8)
    #expect(try MapFile(two, featureLimit: 2).features.count == 2)
    #expect(throws: MapFileError.self) { try MapFile(two, featureLimit: 1) }
  }

  @Test func `an export of osmium has streets, areas and places, each once`() throws {
    // osmium writes a closed way as a line and as an area.
    let ring = "[0.0,0.0],[1.0,0.0],[1.0,1.0],[0.0,0.0]"
    let file = try read(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"n5","geometry":{"type":"Point","coordinates":[0.5,0.5]},"properties":{"@id":5,"place":"village","name":"Дуброва"}},
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[0.0,0.0],[1.0,0.0]]},"properties":{"highway":"secondary","tags":"x"}},
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[\(ring)]},"properties":{"leisure":"park"}},
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[\(ring)]},"properties":{"highway":"residential"}},
      {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[\(ring)]]]},"properties":{"leisure":"park"}},
      {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[\(ring)]]]},"properties":{"highway":"residential"}},
      {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[\(ring)]]]},"properties":{"highway":"pedestrian","area":"yes"}}
      ]}
      """)
    #expect(file.features.map(\.kind) == [.place, .mainStreet, .street, .green, .street])
    #expect(file.features[3].lines.map(\.count) == [4])
    #expect(file.skipped == 2)
  }
}
