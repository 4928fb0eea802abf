import PolyclinicCore

/// The same in each language; what is missing in one is read in another.
struct LocalizedText: Sendable, Hashable {
  var english = ""
  var russian = ""
  var hebrew = ""

  /// In that language alone; empty where it is not said.
  subscript(language: Language) -> String {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }

  /// In the language, else in the first of the others that has it; empty when none has.
  func string(in language: Language) -> String {
    let own = self[language]
    if !own.isEmpty { return own }
    return [english, russian, hebrew].first { !$0.isEmpty } ?? ""
  }
}
