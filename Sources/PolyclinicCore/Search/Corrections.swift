/// Corrections of a query that finds nothing because words of it are misspelt.
extension SearchText.Query {
  /// The number of letters of a word that is corrected. Shorter words resemble too many others.
  private static let correctable = 4...32
  /// The maximum number of words in a query that is corrected, and of the misspelt ones among them.
  private static let (mostWords, mostMisspelt) = (8, 2)
  /// The maximum number of different words that misspelt ones are compared with.
  private static let mostKnown = 5_000

  /// Returns texts of the query with similar words of the texts in place of the misspelt ones, the
  /// most similar first. A search for each of them finds one of the texts.
  ///
  /// A word is misspelt if it begins no word of a text. One slip of the pen is allowed in up to
  /// seven letters, and two in more. The end of the word may be missing, as in every search.
  /// Abbreviations are not corrected, because they resemble words by chance. Other words are
  /// spelled as in the texts.
  package func corrections(from texts: [SearchText], limit: Int) -> [String] {
    guard words.count <= Self.mostWords else { return [] }
    let misspelt = words.indices.filter { index in
      !texts.contains { $0.hasWord(startingWith: words[index]) }
    }
    guard let first = misspelt.first, misspelt.count <= Self.mostMisspelt,
      !misspelt.contains(where: { abbreviations.contains(words[$0]) })
    else { return [] }
    let known = Self.words(of: texts)
    var parts = words.map { word in
      known.contains(word[...])
        ? Self.spelling(of: word[...], in: texts) : String(decoding: word, as: UTF8.self)
    }
    for index in misspelt.dropFirst() {
      guard let word = Self.similar(to: words[index], among: known, limit: 1).first else {
        return []
      }
      parts[index] = Self.spelling(of: word, in: texts)
    }
    return Self.similar(to: words[first], among: known, limit: limit).compactMap { word in
      parts[first] = Self.spelling(of: word, in: texts)
      let text = parts.joined(separator: " ")
      let query = SearchText.Query(text)
      return texts.contains(where: query.matches) ? text : nil
    }
  }

  /// Returns the different folded words of the texts that are neither too short nor too long.
  private static func words(of texts: [SearchText]) -> Set<ArraySlice<UInt8>> {
    var words: Set<ArraySlice<UInt8>> = []
    for text in texts {
      for word in text.folded.split(whereSeparator: { !$0.isPartOfWord })
      where (3...4 * correctable.upperBound).contains(word.count) {
        words.insert(word)
        if words.count == mostKnown { return words }
      }
    }
    return words
  }

  private static func similar(
    to typed: [UInt8], among known: Set<ArraySlice<UInt8>>, limit: Int
  ) -> [ArraySlice<UInt8>] {
    guard typed.count <= 4 * correctable.upperBound else { return [] }
    let letters = scalars(typed[...])
    guard correctable.contains(letters.count) else { return [] }
    let most = letters.count < 8 ? 1 : 2
    let beginning = Set(letters.prefix(2))
    let found = known.compactMap { word -> (slips: Int, surplus: Int, word: ArraySlice<UInt8>)? in
      let other = scalars(word)
      // Compares few of all words, because most begin otherwise.
      guard other.count + most >= letters.count, !beginning.isDisjoint(with: other.prefix(2)) else {
        return nil
      }
      let slips = letters.slips(forBeginningOf: Array(other.prefix(letters.count + most)))
      return slips <= most ? (slips, abs(other.count - letters.count), word) : nil
    }
    let sorted = found.sorted { one, other in
      (one.slips, one.surplus) == (other.slips, other.surplus)
        ? one.word.lexicographicallyPrecedes(other.word)
        : (one.slips, one.surplus) < (other.slips, other.surplus)
    }
    return sorted.prefix(limit).map(\.word)
  }

  private static func scalars(_ word: ArraySlice<UInt8>) -> [Unicode.Scalar] {
    Array(String(decoding: word, as: UTF8.self).unicodeScalars)
  }

  /// Returns a folded word as the first text that contains it spells it.
  private static func spelling(of word: ArraySlice<UInt8>, in texts: [SearchText]) -> String {
    let text = texts.first { text in
      text.folded.split(whereSeparator: { !$0.isPartOfWord }).contains(word)
    }
    let spelled = text?.string.split { !($0.isLetter || $0.isNumber) }
      .first { foldedBytes(String($0)).elementsEqual(word) }
    return spelled.map(String.init) ?? String(decoding: word, as: UTF8.self)
  }
}
