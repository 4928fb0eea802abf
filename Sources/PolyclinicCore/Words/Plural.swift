/// The form of a phrase that a whole number asks for.
///
/// Categories and rules are those of Unicode CLDR 42 and later, "Language Plural Rules", cardinal,
/// for numbers without visible fraction digits.
public enum Plural: String, CaseIterable, Sendable {
  /// The categories that the languages of this portal have, by CLDR's names.
  case one, two, few, many, other

  /// The category of a number; negative numbers go by their magnitude.
  public init(_ count: Int, in language: Language) {
    let magnitude = count.magnitude
    self =
      switch language {
      case .english: magnitude == 1 ? .one : .other
      case .russian: Self.russian(magnitude)
      case .hebrew: magnitude == 1 ? .one : magnitude == 2 ? .two : .other
      }
  }

  /// The forms that a phrase must have in a language, no fewer and no more.
  ///
  /// Russian whole numbers never ask for `other`, its fractions do: CLDR lists it, and so do we.
  public static func categories(of language: Language) -> [Plural] {
    switch language {
    case .english: [.one, .other]
    case .russian: [.one, .few, .many, .other]
    case .hebrew: [.one, .two, .other]
    }
  }

  /// Whether several numbers share the form, so that it has to say which of them it is.
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
