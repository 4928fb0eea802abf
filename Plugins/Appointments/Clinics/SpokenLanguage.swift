import Foundation
import PolyclinicCore

/// A language that a doctor speaks with patients.
struct SpokenLanguage: Sendable, Hashable {
  /// The ISO 639 code; empty while none is chosen.
  var code = ""

  /// The languages to choose from: the official languages of at least one country with many
  /// speakers, and those of large migrant groups.
  static let codes: [String] = """
    am ar az be bg bn bs cs da de el en es et fa fi fr he hi hr hu hy id it ja ka kk ko ky lt lv mk mn ms nb ne nl pa \
    pl ps pt ro ru rw sk sl so sq sr sv sw ta tg th ti tk tl tr uk ur uz vi yi zh zu
    """.split(separator: " ").map(String.init)

  static let form = Form(
    SpokenLanguage(),
    .choice(\.code, "language", required: true) { context in
      sorted(in: context.language).map { Choice($0.code, .verbatim($0.name)) }
    }
  ).requiring("language") { $0.code.isEmpty || codes.contains($0.code) ? nil : "error.choice" }

  /// Returns the name in a language (Unicode CLDR); empty for an unknown code.
  func name(in language: Language) -> String { Self.names(in: language)[code] ?? "" }

  /// Returns the folded forms of the names that sentences have, such as “по-русски”, by code, in
  /// all languages.
  static func furtherWords(_ portal: Portal) -> [String: [[UInt8]]] {
    var words: [String: [[UInt8]]] = [:]
    for language in Language.allCases {
      for entry in portal.string("find.language.words", in: language).split(separator: ",") {
        let parts = SearchText.Query(String(entry)).words
        guard let code = parts.first.map({ String(decoding: $0, as: UTF8.self) }) else { continue }
        words[code, default: []] += parts.dropFirst()
      }
    }
    return words
  }

  /// Returns all languages by name.
  private static func sorted(in language: Language) -> [(code: String, name: String)] {
    names(in: language).map { (code: $0.key, name: $0.value, order: SearchText($0.value)) }
      .sorted { $0.order < $1.order }
      .map { (code: $0.code, name: $0.name) }
  }

  private static func names(in language: Language) -> [String: String] {
    switch language {
    case .english: english
    case .russian: russian
    case .hebrew: hebrew
    }
  }

  // Foundation takes milliseconds for the names of one language, so each list is made once.
  private static let english = named(.english)
  private static let russian = named(.russian)
  private static let hebrew = named(.hebrew)

  private static func named(_ language: Language) -> [String: String] {
    let locale = Locale(identifier: language.code)
    let names = codes.compactMap { code in
      locale.localizedString(forLanguageCode: code).map { (code, $0) }
    }
    return Dictionary(uniqueKeysWithValues: names)
  }
}
