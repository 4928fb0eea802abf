/// The plural category that a whole number selects.
///
/// Categories and rules are those of Unicode CLDR 42 and later, "Language Plural Rules", cardinal,
/// for numbers without visible fraction digits.
package enum Plural: String, CaseIterable, Sendable {
  /// The categories of the portal's languages, with CLDR's names.
  case one, two, few, many, other

  /// Creates the category of a number; negative numbers count by their magnitude.
  package init(_ count: Int, in language: Language) {
    let magnitude = count.magnitude
    self =
      switch language {
      case .english: magnitude == 1 ? .one : .other
      case .russian: Self.russian(magnitude)
      case .hebrew: magnitude == 1 ? .one : magnitude == 2 ? .two : .other
      }
  }

  /// Returns the forms that a phrase must have in a language, no fewer and no more.
  ///
  /// Russian uses `other` only for fractions, but it is included because CLDR lists it.
  package static func categories(of language: Language) -> [Plural] {
    switch language {
    case .english: [.one, .other]
    case .russian: [.one, .few, .many, .other]
    case .hebrew: [.one, .two, .other]
    }
  }

  /// True if several numbers share the form, so that the sentence must contain the number.
  func standsForSeveralNumbers(in language: Language) -> Bool {
    switch self {
    case .one: language == .russian
    case .two: false
    case .few, .many, .other: true
    }
  }

  private static func russian(_ magnitude: UInt) -> Plural {
    if (11...14).contains(magnitude % 100) { return .many }
    return switch magnitude % 10 {
    case 1: .one
    case 2...4: .few
    default: .many
    }
  }
}
