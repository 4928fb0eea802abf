import PolyclinicCore
import PolyclinicPlaces

/// The names of countries in one language and their order, with Kosovo.
struct CountryNames: Sendable {
  private let places: [String: Int]

  /// Returns the name of a country, or its code if it has no name.
  static func name(_ code: String, in language: Language) -> String {
    if code.isIdentical(to: Figures.kosovo) {
      switch language {
      case .english: return "Kosovo"
      case .russian: return "Косово"
      case .hebrew: return "קוסובו"
      }
    }
    return Countries.name(code, in: language) ?? code
  }

  private init(_ language: Language) {
    let sorted = (Countries.all + [Figures.kosovo])
      .map { (code: $0, name: SearchText(Self.name($0, in: language))) }
      .sorted { $0.name < $1.name }
    places = Dictionary(uniqueKeysWithValues: zip(sorted.map(\.code), 0...))
  }

  private static let english = CountryNames(.english)
  private static let russian = CountryNames(.russian)
  private static let hebrew = CountryNames(.hebrew)

  /// Returns the order of a language. It is computed once, because folding and comparing all names
  /// takes as long as the rest of the list.
  static func of(_ language: Language) -> CountryNames {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }

  /// Sorts countries by their names.
  func sorted(_ countries: [ListedCountry]) -> [ListedCountry] {
    var placed = [ListedCountry?](repeating: nil, count: places.count)
    for one in countries {
      if let place = places[one.country] { placed[place] = one }
    }
    return placed.compactMap(\.self)
  }
}
