import PolyclinicCore

/// The words for a code of a value set.
struct Term: Sendable, Equatable {
  let english: String
  private let russian: String?
  private let hebrew: String?

  /// A term; where a language has none of its own, as for names of products, the English one is used.
  init(_ english: String, ru russian: String? = nil, he hebrew: String? = nil) {
    self.english = english
    self.russian = russian
    self.hebrew = hebrew
  }

  func words(in language: Language) -> String {
    switch language {
    case .english: english
    case .russian: russian ?? english
    case .hebrew: hebrew ?? english
    }
  }
}
