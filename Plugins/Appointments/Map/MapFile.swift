import PolyclinicCore

/// The features of a map file, read and checked.
///
/// The file is GeoJSON (RFC 7946) with OpenStreetMap's tags as properties, as osmium, osmtogeojson,
/// Overpass and QGIS write it.
struct MapFile: Sendable {
  private(set) var features: [MapFeature] = []
  /// The number of features that the map does not show.
  private(set) var skipped = 0
  private var points = 0

  /// The maximum number of JSON values, for a file of ``pointLimit`` points with many tags.
  private static let valueLimit = 8_000_000
  /// The maximum number of features that the map shows.
  static let featureLimit = 300_000
  /// The maximum number of points of all features.
  static let pointLimit = 2_000_000
  /// The maximum number of Unicode scalars of a name, as in OpenStreetMap.
  static let nameLimit = 255

  private let featureLimit: Int

  /// Reads a whole file. Throws ``MapFileError`` for the first error.
  init(_ bytes: [UInt8], featureLimit: Int = Self.featureLimit) throws {
    self.featureLimit = featureLimit
    let json = try Self.json(bytes)
    guard json["type"] == "FeatureCollection", case .array(let members) = json["features"] else {
      throw MapFileError("The file", "is no FeatureCollection.")
    }
    for (index, feature) in members.enumerated() {
      try add(GeoJSONFeature(number: index + 1, json: feature))
    }
    guard !features.isEmpty else {
      throw MapFileError("The file", "has no water, green, streets, districts or places.")
    }
  }

  private static func json(_ bytes: [UInt8]) throws -> JSON {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    // An extract of OpenStreetMap is XML or PBF.
    guard let start = text.first(where: { !" \t\r\n".utf8.contains($0) }), "{[".utf8.contains(start)
    else {
      throw MapFileError(
        "The file",
        """
        is not JSON. Make GeoJSON of an OpenStreetMap extract by `osmium export`: see docs/data.md.
        """)
    }
    do { return try JSON(reading: text, valueLimit: valueLimit) } catch {
      let line = text.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
      throw MapFileError(
        "Line \(line)", "is not JSON, or nested too deeply, or the file is too large.")
    }
  }

  /// Adds a feature if the map shows it.
  private mutating func add(_ feature: GeoJSONFeature) throws {
    guard let (shape, lines) = try feature.geometry else { return }
    let tags = feature.tags
    guard let kind = tags.kind(of: shape) else {
      skipped += 1
      return
    }
    let name = tags.name
    let names = [name.english, name.russian, name.hebrew]
    guard names.allSatisfy({ $0.unicodeScalars.count <= Self.nameLimit }) else {
      throw feature.fault("has a name of more than \(Self.nameLimit) characters.")
    }
    // A place is named at a point; without a name it says nothing.
    if shape == .point && names.allSatisfy(\.isEmpty) {
      skipped += 1
      return
    }
    let kept = try lines.map { line in
      guard let line = line.unwrapped else {
        throw feature.fault("has a line that winds around the earth.")
      }
      points += line.count
      guard points <= Self.pointLimit else {
        throw feature.fault(
          "is beyond the limit of \(Self.pointLimit) points: choose a smaller area.")
      }
      return line
    }
    guard !kept.isEmpty else { return }
    guard features.count < featureLimit else {
      throw feature.fault("is beyond the limit of \(featureLimit) features: choose a smaller area.")
    }
    features.append(MapFeature(kind: kind, name: name, lines: kept))
  }
}

/// The reason for which a map file is refused.
struct MapFileError: Error, Equatable, CustomStringConvertible {
  let description: String

  /// `place` is a line or feature of the file.
  init(_ place: String, _ reason: String) { description = "\(place) \(reason)" }
}

/// A feature of a GeoJSON file.
private struct GeoJSONFeature {
  /// Its place in the file, from 1.
  let number: Int
  let json: JSON

  func fault(_ reason: String) -> MapFileError { MapFileError("Feature \(number)", reason) }

  /// The tags from the properties, or from `tags` within them.
  var tags: MapTags {
    var tags = MapTags()
    guard let properties = json["properties"], case .object(var members) = properties else {
      return tags
    }
    // A tag of OpenStreetMap may have this key, too; its value is a text.
    if case .object(let nested) = properties["tags"] { members = nested }
    for case (let name, .string(let value)) in members.map({ ($0.name, $0.value) }) {
      tags[name] = value
    }
    return tags
  }

  /// The shape with its lines; nil for a feature without a geometry. The lines of an area are
  /// closed rings.
  var geometry: (MapTags.Shape, [[MapPoint]])? {
    get throws {
      guard json["type"] == "Feature" else { throw fault("has not the type Feature.") }
      guard let geometry = json["geometry"] else { throw fault("has no geometry.") }
      if geometry == .null { return nil }
      let coordinates = geometry["coordinates"] ?? nil
      switch geometry["type"] {
      case "Point": return (.point, [[try point(coordinates)]])
      case "LineString": return (.line, [try line(coordinates)])
      case "MultiLineString": return (.line, try elements(coordinates).map(line))
      case "Polygon": return (.area, try rings(coordinates))
      case "MultiPolygon": return (.area, try elements(coordinates).flatMap(rings))
      default: throw fault("has a geometry that is no point, line or area.")
      }
    }
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
