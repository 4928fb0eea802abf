import PolyclinicCore

/// A text in each language, with the other languages as fallbacks for a missing one.
struct LocalizedText: Sendable, Hashable {
  var english = ""
  var russian = ""
  var hebrew = ""

  /// Returns the text in exactly this language; empty if it is missing.
  subscript(language: Language) -> String {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }

  /// Returns the text in the language, or else in the first of the others that has it; empty if
  /// none has.
  func string(in language: Language) -> String {
    let own = self[language]
    if !own.isEmpty { return own }
    return [english, russian, hebrew].first { !$0.isEmpty } ?? ""
  }

  /// The text as a name in a sentence of any language.
  var value: Text.Value {
    .name(Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, string(in: $0)) }))
  }
}
