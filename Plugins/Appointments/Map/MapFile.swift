import PolyclinicCore

/// The features of a map file, read and checked.
///
/// The file is GeoJSON (RFC 7946) with OpenStreetMap's tags as properties, or an extract in
/// OpenStreetMap's XML.
struct MapFile: Sendable {
  private(set) var features: [MapFeature] = []
  /// The number of features that the map does not show.
  private(set) var skipped = 0
  /// True for OpenStreetMap's XML.
  let isOpenStreetMap: Bool
  private var points = 0

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
    let start = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    isOpenStreetMap = start == UInt8(ascii: "<")
    if isOpenStreetMap {
      try OpenStreetMapReader.read(bytes, into: &self)
    } else {
      try GeoJSONReader.read(bytes, into: &self)
    }
    guard !features.isEmpty else {
      throw MapFileError("The file", "has no water, green, streets, districts or places.")
    }
  }

  /// Adds a feature if the map shows it. `place` names it in an error.
  mutating func add(
    _ tags: MapTags, _ shape: MapTags.Shape, _ lines: [[MapPoint]],
    at place: @autoclosure () -> String
  ) throws {
    guard let kind = tags.kind(of: shape) else {
      skipped += 1
      return
    }
    let name = tags.name
    let names = [name.english, name.russian, name.hebrew]
    guard names.allSatisfy({ $0.unicodeScalars.count <= Self.nameLimit }) else {
      throw MapFileError(place(), "has a name of more than \(Self.nameLimit) characters.")
    }
    // A place is named at a point; without a name it says nothing.
    if shape == .point && names.allSatisfy(\.isEmpty) {
      skipped += 1
      return
    }
    var kept: [[MapPoint]] = []
    for line in lines where shape == .point || line.count >= 2 {
      guard let line = line.unwrapped else {
        throw MapFileError(place(), "has a line that winds around the earth.")
      }
      points += line.count
      guard points <= Self.pointLimit else {
        throw MapFileError(
          place(), "is beyond the limit of \(Self.pointLimit) points: choose a smaller area.")
      }
      kept.append(line)
    }
    guard !kept.isEmpty else { return }
    guard features.count < featureLimit else {
      throw MapFileError(
        place(), "is beyond the limit of \(featureLimit) features: choose a smaller area.")
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
