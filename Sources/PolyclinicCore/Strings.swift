extension Catalog {
  /// The words that all modules share: forms, errors, files that are brought in, and how long
  /// data is kept.
  package static let shared = Catalog(
    en: [PackageResources.shared_en_json, PackageResources.import_en_json],
    ru: [PackageResources.shared_ru_json, PackageResources.import_ru_json],
    he: [PackageResources.shared_he_json, PackageResources.import_he_json])
}
