extension Catalog {
  /// Returns the differences between the languages, one sentence each; empty if there are none.
  ///
  /// The other languages are compared with English:
  ///
  /// - They must have the same keys.
  /// - A phrase must have plural forms if and only if the English phrase has them.
  /// - Every form must have the same placeholders. A form for a single number ("one contact") may
  ///   omit `{count}`, but a form for several numbers may not.
  ///
  /// A file that cannot be parsed counts as a difference.
  public func differences() -> [String] {
    do throws(CatalogError) {
      let reference = try phrases(in: .english)
      var differences: [String] = []
      for language in Language.allCases {
        differences += Self.differences(
          of: try phrases(in: language), in: language, from: reference)
      }
      return differences
    } catch {
      return [error.description]
    }
  }

  private static func differences(
    of phrases: [String: Phrase], in language: Language, from reference: [String: Phrase]
  ) -> [String] {
    Set(phrases.keys).union(reference.keys).sorted().flatMap { key -> [String] in
      let name = "“\(key)” in “\(language.code)”"
      guard let phrase = phrases[key] else { return ["\(name) is missing"] }
      guard let original = reference[key] else { return ["\(name) is not in “en”"] }
      guard phrase.isPlural == original.isPlural else {
        return ["\(name) has \(phrase.isPlural ? "" : "no ")plural forms, unlike “en”"]
      }
      return placeholders(of: phrase, in: language, from: original).map { name + $0 }
    }
  }

  /// Returns the ends of the sentences about the forms whose placeholders differ.
  private static func placeholders(
    of phrase: Phrase, in language: Language, from original: Phrase
  ) -> [String] {
    let expected = original.placeholders
    return phrase.forms.compactMap { plural, template in
      var wanted = expected
      let found = Set(template.placeholders)
      let mayOmitCount = plural.map { !$0.standsForSeveralNumbers(in: language) } ?? false
      if mayOmitCount && !found.contains("count") { wanted.remove("count") }
      guard found != wanted else { return nil }
      let form = plural.map { ", form “\($0.rawValue)”" } ?? ""
      return "\(form) has the placeholders \(list(found)), not \(list(wanted))"
    }
  }

  private static func list(_ names: Set<String>) -> String {
    names.isEmpty ? "(none)" : names.sorted().map { "{\($0)}" }.joined(separator: " ")
  }
}
