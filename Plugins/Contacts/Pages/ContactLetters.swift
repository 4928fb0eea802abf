import PolyclinicCore

/// The links by which a reader jumps to the names of a letter.
enum ContactLetters {
  /// Returns the links of the language's alphabet. They are made once, because each page has the
  /// same.
  static func links(in language: Language) -> HTML {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }

  private static let english = links("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  private static let russian = links("АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ")
  private static let hebrew = links("אבגדהוזחטיכלמנסעפצקרשת")

  private static func links(_ alphabet: String) -> HTML {
    let list: Path = "/contacts"
    return """
      \(each: alphabet.map(String.init), { letter in
        "<a href=\"\(list.query(["letter": letter]))\">\(letter)</a>"
      })
      """
  }
}
