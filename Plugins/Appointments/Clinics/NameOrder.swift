import PolyclinicCore

/// The place of a doctor's name in a list: names in the reader's script first, each by surname.
struct NameOrder: Comparable, Sendable {
  private let isForeign: Bool
  private let surname: SearchText
  private let name: SearchText

  init(_ name: String, in language: Language) {
    let surname = Self.surname(of: name)
    isForeign = !language.writes(surname)
    self.surname = SearchText(String(surname))
    self.name = SearchText(name)
  }

  static func < (one: NameOrder, other: NameOrder) -> Bool {
    if one.isForeign != other.isForeign { return other.isForeign }
    return (one.surname, one.name) < (other.surname, other.name)
  }

  /// Returns the last word of a name, because many names begin with a title. In “Иванова Анна
  /// Петровна” that is the patronymic, and the surname is two words before it.
  static func surname(of name: String) -> Substring {
    let words = name.split(separator: " ")
    guard let last = words.last else { return "" }
    let isPatronymic = ["вич", "вна", "чна"].contains { last.hasSuffix($0) }
    return isPatronymic && words.count >= 3 ? words[words.count - 3] : last
  }
}

extension Language {
  /// True if a text begins in the script of the language.
  func writes(_ text: Substring) -> Bool {
    guard let first = text.unicodeScalars.first(where: \.properties.isAlphabetic) else {
      return false
    }
    return switch self {
    case .english: first.value < 0x0250
    case .russian: (0x0400...0x052F).contains(first.value)
    case .hebrew: (0x0591...0x05F4).contains(first.value)
    }
  }
}
