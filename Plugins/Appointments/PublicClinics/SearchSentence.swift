import PolyclinicCore
import PolyclinicPlaces

/// A search as people write it: a sentence about an illness, in a language of their own.
enum SearchSentence {
  /// The maximum number of Unicode scalars that are read, as in ``SearchText/Query``.
  private static let longest = 200
  /// The number of letters from which the beginning of an everyday word names a specialization.
  private static let shortestName = 3

  /// Returns the numbers that call an ambulance, if the words tell of a danger to life or find nothing; nil without words.
  static func emergencyNotice(
    for typed: String, findingNothing: Bool, _ context: Context
  ) -> HTML? {
    guard !typed.isEmpty else { return nil }
    return findingNothing || namesEmergency(typed, context.portal) ? context.emergencyNotice : nil
  }

  /// True if the words tell of a danger to life, such as “chest pain”.
  private static func namesEmergency(_ typed: String, _ portal: Portal) -> Bool {
    let text = SearchText(String(typed.unicodeScalars.prefix(longest)))
    return Language.allCases.contains { language in
      portal.string("find.emergency.words", in: language).split(separator: ",").contains {
        SearchText.Query(String($0)).matches(text)
      }
    }
  }

  /// Returns the query without the words that name nothing, such as “my” and “have”; nil if only such words are in it.
  static func withoutFillers(
    _ query: SearchText.Query, _ portal: Portal
  ) -> SearchText.Query? {
    let fillers = Language.allCases.flatMap { language in
      portal.string("find.filler.words", in: language).split(separator: " ").map {
        folded(String($0))
      }
    }
    let left = query.words.map { String(decoding: $0, as: UTF8.self) }
      .filter { !fillers.contains($0) }
    return left.isEmpty ? nil : SearchText.Query(left.joined(separator: " "))
  }

  /// Returns the specializations whose everyday words match the most words of a query; none if no word matches.
  static func specializations(
    namedBy query: SearchText.Query, among words: [Specialization: SearchText]
  ) -> Set<Specialization> {
    let names = query.words.filter {
      String(decoding: $0, as: UTF8.self).unicodeScalars.count >= shortestName
    }
    let counts = words.mapValues { text in names.count(where: text.hasWord) }
    let most = counts.values.max() ?? 0
    return most == 0 ? [] : Set(counts.filter { $0.value == most }.keys)
  }
}
