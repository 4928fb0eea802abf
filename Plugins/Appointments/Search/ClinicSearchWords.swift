import PolyclinicCore
import PolyclinicPlaces

/// The words besides the entered ones by which a search finds clinics.
struct ClinicSearchWords {
  let towns: Gazetteer
  /// The everyday words in all languages.
  var specializations: [Specialization: SearchText] = [:]
  /// The words for clinics that treat children, in all languages.
  let children: String

  init(_ portal: Portal) throws {
    towns = try portal.gazetteer
    children = Clinic.childrenWords(portal)
  }

  /// Returns the words for the filter; nil if it has no search words.
  static func find(_ filter: ClinicFilter, _ context: Context) throws -> ClinicSearchWords? {
    if filter.words.isEmpty { return nil }
    var words = try ClinicSearchWords(context.portal)
    for specialization in Specialization.allCases {
      words.specializations[specialization] = specialization.searchText(context.portal.string)
    }
    return words
  }
}

extension Clinic {
  /// Returns the words for a clinic that treats children, in all languages.
  static func childrenWords(_ portal: Portal) -> String {
    Language.allCases.map { portal.string("clinics.pediatric.words", in: $0) }
      .joined(separator: " ")
  }
}

extension SearchText.Query {
  /// True if every word begins a word of one of the two texts.
  func matches(_ text: SearchText, or other: SearchText?) -> Bool {
    words.allSatisfy {
      text.hasWord(startingWith: $0) || other?.hasWord(startingWith: $0) == true
    }
  }
}
