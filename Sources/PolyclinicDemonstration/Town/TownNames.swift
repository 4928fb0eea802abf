import PolyclinicCore
import PolyclinicFormats

/// The names of the fictional town's people and streets.
enum TownNames {
  static func given(_ isFemale: Bool, _ language: Language) -> [String] {
    list(isFemale ? "women_\(language.rawValue)" : "men_\(language.rawValue)")
  }

  static func family(_ language: Language) -> [String] { list("families_\(language.rawValue)") }

  /// Streets of the map of the demonstration.
  static let streets = list("streets")

  private static let table = try? CSVTable(PackageResources.town_names_csv)

  private static func list(_ column: String) -> [String] {
    table?.records.map { $0[column] }.filter { !$0.isEmpty } ?? []
  }
}
