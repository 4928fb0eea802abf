import PolyclinicCore

extension Feature {
  /// The imported map, and its drawing.
  static let map = Feature(
    words: Catalog(
      en: [PackageResources.map_en_json],
      ru: [PackageResources.map_ru_json],
      he: [PackageResources.map_he_json]),
    schema: StoredMap.schema)
}
