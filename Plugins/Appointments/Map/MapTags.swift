import PolyclinicCore

/// The tags of a feature by OpenStreetMap's keys, as far as the map needs them.
struct MapTags: Sendable {
  private var values: [String: String] = [:]

  /// The shape of a tagged feature.
  enum Shape { case point, line, area }

  /// The keys that the map reads. Other tags are not kept.
  private static let keys: Set = [
    "admin_level", "area", "boundary", "highway", "landuse", "leisure", "name", "name:en",
    "name:he", "name:iw", "name:ru", "natural", "place", "railway", "waterway",
  ]

  subscript(key: String) -> String {
    get { values[key] ?? "" }
    set { if key.utf8.count <= 12 && Self.keys.contains(key) { values[key] = newValue } }
  }

  /// The name in each language; `name` stands in for a language of its script.
  var name: LocalizedText {
    var text = LocalizedText(
      english: self["name:en"], russian: self["name:ru"],
      hebrew: self["name:he"].isEmpty ? self["name:iw"] : self["name:he"])
    let local = self["name"]
    guard !local.isEmpty else { return text }
    switch local.unicodeScalars.first(where: { $0.value >= 0x41 && $0.properties.isAlphabetic })?
      .value
    {
    case .some(0x400..<0x530): if text.russian.isEmpty { text.russian = local }
    case .some(0x590..<0x600): if text.hebrew.isEmpty { text.hebrew = local }
    default: if text.english.isEmpty { text.english = local }
    }
    return text
  }

  /// Returns the kind of a feature with these tags; nil if the map does not show it.
  func kind(of shape: Shape) -> MapFeature.Kind? {
    switch shape {
    case .point: return settlement
    case .line: return line ?? (isDistrict ? .district : nil)
    case .area:
      if let area { return area }
      if isDistrict || settlement == .place { return .district }
      // osmium exports a closed street, such as a roundabout, as a line and as an area.
      return self["area"] == "yes" ? line : nil
    }
  }

  private var settlement: MapFeature.Kind? {
    switch self["place"] {
    case "city", "town": .town
    case "borough", "suburb", "quarter", "neighbourhood", "village", "hamlet": .place
    default: nil
    }
  }

  private var line: MapFeature.Kind? {
    switch self["highway"] {
    case "motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link":
      return .mainRoad
    case "secondary", "secondary_link", "tertiary", "tertiary_link": return .mainStreet
    case "residential", "unclassified", "living_street", "pedestrian": return .street
    default: break
    }
    if self["railway"] == "rail" { return .railway }
    let isRiver = ["river", "canal"].contains(self["waterway"]) || self["natural"] == "coastline"
    return isRiver ? .river : nil
  }

  private var area: MapFeature.Kind? {
    if self["natural"] == "water" || self["waterway"] == "riverbank"
      || ["reservoir", "basin"].contains(self["landuse"])
    {
      return .water
    }
    let isGreen =
      ["park", "garden", "nature_reserve", "golf_course"].contains(self["leisure"])
      || ["wood", "scrub", "heath", "wetland"].contains(self["natural"])
      || [
        "forest", "grass", "meadow", "village_green", "recreation_ground", "cemetery", "allotments",
        "orchard",
      ].contains(self["landuse"])
    return isGreen ? .green : nil
  }

  private var isDistrict: Bool {
    self["boundary"] == "administrative" && ["8", "9", "10"].contains(self["admin_level"])
  }
}
