import PolyclinicCore

extension Catalog {
  /// The strings of the page frame, of error pages and of API problems.
  package static let server = Catalog(
    en: [PackageResources.front_en_json, PackageResources.problem_en_json],
    ru: [PackageResources.front_ru_json, PackageResources.problem_ru_json],
    he: [PackageResources.front_he_json, PackageResources.problem_he_json])
}
