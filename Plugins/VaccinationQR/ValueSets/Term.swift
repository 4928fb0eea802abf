import PolyclinicCore

/// The translations of a code's term.
struct Term: Sendable, Equatable {
  let english: String
  private let russian: String?
  private let hebrew: String?

  /// Creates a term. A language without a translation uses the English one, as for product names.
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
