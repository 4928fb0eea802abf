/// The translations available to a module: its own catalog, then the catalog that all modules
/// share.
///
/// It is created at start and immutable, so lookups need no lock. A phrase without placeholders
/// costs one dictionary lookup and returns a shared `String`.
package final class Phrasebook: Sendable {
  private let phrases: Translations<[String: Phrase]>

  /// Parses the catalog that all modules share; throws ``CatalogError`` if it is invalid.
  package init(_ shared: Catalog) throws(CatalogError) {
    phrases = Translations(
      english: try shared.phrases(in: .english), russian: try shared.phrases(in: .russian),
      hebrew: try shared.phrases(in: .hebrew))
  }

  /// Reads a catalog, whose phrases override those of `shared`: ``read(_:after:)`` or one that
  /// remembers what it has read.
  package typealias Reading = (_ catalog: Catalog, _ shared: Phrasebook?) throws -> Phrasebook

  /// Reads a catalog anew. Throws ``CatalogError``.
  package static func read(
    _ catalog: Catalog, after shared: Phrasebook?
  ) throws(CatalogError) -> Phrasebook {
    guard let shared else { return try Phrasebook(catalog) }
    return try shared.preceded(by: catalog)
  }

  private init(phrases: Translations<[String: Phrase]>) { self.phrases = phrases }

  /// Returns a module's phrasebook, whose own phrases override these; throws ``CatalogError``.
  package func preceded(by own: Catalog) throws(CatalogError) -> Phrasebook {
    func merged(_ language: Language) throws(CatalogError) -> [String: Phrase] {
      phrases[language].merging(try own.phrases(in: language)) { _, own in own }
    }
    return Phrasebook(
      phrases: Translations(
        english: try merged(.english), russian: try merged(.russian), hebrew: try merged(.hebrew)))
  }

  /// True if the language has a phrase with that key.
  package func contains(_ key: String, in language: Language) -> Bool {
    phrases[language][key] != nil
  }

  /// Returns the sentence of a text in a language, with its placeholders filled in.
  ///
  /// Missing parts stay visible: `⟦key⟧` for an unknown key, `⟦name⟧` for a placeholder without a
  /// value. A plural phrase without a count uses its `other` form.
  package func string(_ text: Text, in language: Language) -> String {
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
      if let value = text.arguments[name] { return value.isolated(in: language) }
      return text.values[name]?.inserted(in: language, by: self)
    }
  }
}
