import PolyclinicCore
import PolyclinicPlaces

/// The number of letters from which the beginning of an everyday word names a specialization.
private let shortestName = 3
/// The number of letters from which a word for an emergency is the beginning of others.
private let shortestStem = 4

/// A search as people write it: a sentence about an illness, in a language of their own.
extension Context {
  /// Returns the numbers that call an ambulance: as an alarm if the words tell of a danger to life,
  /// as a quiet line if they find nothing. An alarm that follows a slip of the pen is soon not read
  /// any more. Nil without words.
  func emergencyNotice(for typed: String, findingNothing: Bool) -> HTML? {
    guard !typed.isEmpty else { return nil }
    if Self.namesEmergency(typed, portal) { return emergencyNotice }
    return findingNothing ? emergencyLine : nil
  }

  /// True if the words tell of a danger to life, such as “chest pain”, in any language.
  ///
  /// The words of the catalogs are beginnings of words, except for short ones: “die” is no “diet”.
  private static func namesEmergency(_ typed: String, _ portal: Portal) -> Bool {
    let beginning = SearchText.Query.read(typed)
    let (text, words) = (SearchText(beginning), SearchText.Query(beginning).words)
    return Language.allCases.contains { language in
      portal.string("find.emergency.words", in: language).split(separator: ",").contains {
        SearchText.Query(String($0)).words.allSatisfy {
          $0.isLong(atLeast: shortestStem) ? text.hasWord(startingWith: $0) : words.contains($0)
        }
      }
    }
  }
}

extension SearchText.Query {
  /// Returns it without the words that name nothing, such as “my” and “have”; nil if only such words
  /// are in it.
  func withoutFillers(_ portal: Portal) -> SearchText.Query? {
    let fillers = Language.allCases.flatMap { language in
      portal.string("find.filler.words", in: language).split(separator: " ").map {
        folded(String($0))
      }
    }
    let left = words.map { String(decoding: $0, as: UTF8.self) }
      .filter { !fillers.contains($0) }
    return left.isEmpty ? nil : SearchText.Query(left.joined(separator: " "))
  }

  /// Returns the specializations whose everyday words match the most words of it; none if no word
  /// matches.
  func specializations(among everyday: [Specialization: SearchText]) -> Set<Specialization> {
    let names = words.filter { $0.isLong(atLeast: shortestName) }
    let counts = everyday.mapValues { text in names.count(where: text.hasWord) }
    let most = counts.values.max() ?? 0
    return most == 0 ? [] : Set(counts.filter { $0.value == most }.keys)
  }
}

extension [UInt8] {
  fileprivate func isLong(atLeast letters: Int) -> Bool {
    String(decoding: self, as: UTF8.self).unicodeScalars.count >= letters
  }
}
