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

  /// Reads terms that are the same in every language, each on a line behind its code.
  static func table(_ lines: StaticString) -> [String: Term] {
    let terms = lines.description.split(separator: "\n").map { line in
      let code = line.prefix { $0 != " " }
      return (String(code), Term(String(line.dropFirst(code.count + 1))))
    }
    return Dictionary(terms) { first, _ in first }
  }

  func words(in language: Language) -> String {
    switch language {
    case .english: english
    case .russian: russian ?? english
    case .hebrew: hebrew ?? english
    }
  }
}
