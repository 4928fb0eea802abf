/// All that a module can say: its own catalog, then what all modules share.
///
/// Made once at start and immutable from then on, so that a look-up takes no lock. A phrase without
/// placeholders is one look-up in a dictionary and a shared `String`.
public final class Phrasebook: Sendable {
  private let phrases: Translations<[String: Phrase]>

  /// Reads the words that all modules share; throws a ``CatalogError``.
  public init(_ shared: Catalog) throws(CatalogError) {
    phrases = Translations(
      english: try shared.phrases(in: .english), russian: try shared.phrases(in: .russian),
      hebrew: try shared.phrases(in: .hebrew))
  }

  private init(phrases: Translations<[String: Phrase]>) { self.phrases = phrases }

  /// A module's phrasebook: its own words before these; throws a ``CatalogError``.
  public func preceded(by own: Catalog) throws(CatalogError) -> Phrasebook {
    func merged(_ language: Language) throws(CatalogError) -> [String: Phrase] {
      phrases[language].merging(try own.phrases(in: language)) { _, own in own }
    }
    return Phrasebook(
      phrases: Translations(
        english: try merged(.english), russian: try merged(.russian), hebrew: try merged(.hebrew)))
  }

  /// Whether there is something under a key in a language.
  public func contains(_ key: String, in language: Language) -> Bool {
    phrases[language][key] != nil
  }

  /// The text's sentence in a language, its values filled in.
  ///
  /// What is missing is shown, not hidden: `⟦key⟧` for an unknown key, `⟦name⟧` for a placeholder
  /// without a value. Where a plural phrase is asked for without a count, its `other` form speaks.
  public func string(_ text: Text, in language: Language) -> String {
    switch phrases[language][text.key] {
    case .plain(let string): return string
    case .template(let template): return fill(template, from: text, in: language)
    case .plural(let forms):
      let plural = text.count.map { Plural($0, in: language) } ?? .other
      guard let template = forms[plural] else { break }
      return fill(template, from: text, in: language)
    case nil: break
    }
    return "⟦\(text.key)⟧"
  }

  private func fill(_ template: Template, from text: Text, in language: Language) -> String {
    template.filled { name in
      if name == "count", let count = text.count { return Formats.number(count, in: language) }
      let value = text.arguments[name] ?? text.values[name]?.string(in: language)
      return value.map { BidiIsolation.isolated($0, in: language) }
    }
  }
}
