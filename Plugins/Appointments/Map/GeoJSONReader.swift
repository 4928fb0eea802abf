import PolyclinicCore

/// A reader of GeoJSON (RFC 7946) as osmtogeojson, Overpass and QGIS write it.
struct GeoJSONReader {
  /// The maximum number of JSON values, for a file of ``MapFile/pointLimit`` points with many tags.
  private static let valueLimit = 8_000_000

  static func read(_ bytes: [UInt8], into file: inout MapFile) throws {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let json: JSON
    do { json = try JSON(reading: text, valueLimit: valueLimit) } catch {
      let line = text.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
      throw MapFileError(
        "Line \(line)", "is not JSON, or nested too deeply, or the file is too large.")
    }
    guard json["type"] == "FeatureCollection", case .array(let features) = json["features"] else {
      throw MapFileError("The file", "is no FeatureCollection.")
    }
    for (index, feature) in features.enumerated() {
      try GeoJSONReader(number: index + 1).read(feature, into: &file)
    }
  }

  /// The number of the feature, from 1.
  private let number: Int

  private func fault(_ reason: String) -> MapFileError { MapFileError("Feature \(number)", reason) }

  private func read(_ feature: JSON, into file: inout MapFile) throws {
    guard feature["type"] == "Feature" else { throw fault("has not the type Feature.") }
    guard let geometry = feature["geometry"] else { throw fault("has no geometry.") }
    if geometry == .null { return }
    let tags = tags(of: feature["properties"] ?? nil)
    let coordinates = geometry["coordinates"] ?? nil
    let place = "Feature \(number)"
    switch geometry["type"] {
    case "Point":
      try file.add(tags, .point, [[point(coordinates)]], at: place)
    case "LineString":
      try file.add(tags, .line, [line(coordinates)], at: place)
    case "MultiLineString":
      try file.add(tags, .line, try elements(coordinates).map(line), at: place)
    case "Polygon":
      try file.add(tags, .area, try rings(coordinates), at: place)
    case "MultiPolygon":
      try file.add(tags, .area, try elements(coordinates).flatMap(rings), at: place)
    default:
      throw fault("has a geometry that is no point, line or area.")
    }
  }

  /// Reads the tags from the properties, or from `tags` within them.
  private func tags(of properties: JSON) -> MapTags {
    var tags = MapTags()
    let nested = properties["tags"]
    guard case .object(let members) = nested ?? properties else { return tags }
    for case (let name, .string(let value)) in members.map({ ($0.name, $0.value) }) {
      tags[name] = value
    }
    return tags
  }

  private func elements(_ json: JSON) throws -> [JSON] {
    guard case .array(let elements) = json else { throw fault("has coordinates that are no list.") }
    return elements
  }

  private func line(_ json: JSON) throws -> [MapPoint] {
    let points = try elements(json).map(point)
    guard points.count >= 2 else { throw fault("has a line of fewer than two points.") }
    return points
  }

  /// Reads the rings of a polygon, of which the first is the outer one.
  private func rings(_ json: JSON) throws -> [[MapPoint]] {
    try elements(json).enumerated().map { index, ring in
      let points = try elements(ring).map(point)
      guard points.count >= 4, points.first == points.last else {
        throw fault("has a ring that is not closed.")
      }
      guard let ring = points.unwrapped else {
        throw fault("has a ring that winds around the earth.")
      }
      return ring.ring(isOuter: index == 0)
    }
  }

  private func point(_ json: JSON) throws -> MapPoint {
    guard case .array(let numbers) = json, numbers.count >= 2, numbers.count <= 4,
      case .written(let longitude) = numbers[0], case .written(let latitude) = numbers[1],
      let longitude = Double(longitude), let latitude = Double(latitude),
      let point = MapPoint(latitude: latitude, longitude: longitude)
    else { throw fault("has a position that is no longitude and latitude in degrees.") }
    return point
  }
}

extension JSON {
  /// The member with this name; nil if there is none.
  fileprivate subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.isIdentical(to: name) }?.value
  }
}
