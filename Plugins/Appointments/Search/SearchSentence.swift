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

extension Portal {
  /// The words that say only that something hurts, in all languages. A part of the body must say
  /// which doctor treats it.
  var painWords: Set<[UInt8]> { words("find.pain.words") }

  /// The words that name nothing, such as “my”, “have” and “pain”, in all languages.
  var fillers: Set<[UInt8]> { words("find.filler.words").union(painWords) }

  /// The words for any doctor, in all languages.
  fileprivate var doctorWords: Set<[UInt8]> { words("find.doctor.words") }

  /// Returns the folded words of a list of the catalogs.
  private func words(_ list: Text) -> Set<[UInt8]> {
    Set(
      Language.allCases.flatMap { language in
        string(list, in: language).split(separator: " ").map { Array(folded(String($0)).utf8) }
      })
  }
}

/// The letters with which Hebrew writes “in”, “the”, “and” and the like before a word.
private let prefixes: Set<Unicode.Scalar> = ["ב", "ה", "ו", "כ", "ל", "מ", "ש"]
/// The maximum number of such letters before a word.
private let mostPrefixes = 2
/// The minimum number of letters of the word behind them.
private let shortestRest = 2

extension SearchText.Query {
  /// Returns it without the words that name nothing; nil if only such words are in it.
  func withoutFillers(_ portal: Portal) -> SearchText.Query? {
    let left = leavingOut(portal.fillers)
    return left.isEmpty ? nil : left
  }

  /// True if all words name nothing that could be searched, or any doctor.
  func namesNothing(_ portal: Portal) -> Bool {
    leavingOut(portal.fillers.union(portal.doctorWords)).isEmpty
  }

  /// Returns it without the Hebrew letters before everyday words: “in the chest” is one word.
  func withoutPrefixes(among everyday: [SearchText]) -> SearchText.Query {
    func isKnown(_ word: [UInt8]) -> Bool {
      everyday.contains { $0.hasWord(startingWith: word) }
    }
    let bare = words.map { word -> String in
      let typed = String(decoding: word, as: UTF8.self)
      if isKnown(word) { return typed }
      let letters = typed.unicodeScalars
      let rests = (1...mostPrefixes).compactMap { count -> String? in
        guard letters.count >= count + shortestRest,
          letters.prefix(count).allSatisfy(prefixes.contains)
        else { return nil }
        return String(String.UnicodeScalarView(letters.dropFirst(count)))
      }
      return rests.first { isKnown(Array($0.utf8)) } ?? typed
    }
    return SearchText.Query(bare.joined(separator: " "))
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
