/// Suggestions for a misspelt word.
enum Suggestion {
  /// Returns ` Did you mean "contacts"? Known: appointments, contacts.`; empty if `known` is empty.
  static func sentence(for word: String, among known: [String]) -> String {
    guard !known.isEmpty else { return "" }
    let list = " Known: \(known.joined(separator: ", "))"
    guard let nearest = nearest(to: word, among: known) else { return list }
    return " Did you mean \"\(nearest)\"?" + list
  }

  /// Returns the known word at the least distance, if at most a third of its letters differ.
  static func nearest(to word: String, among known: [String]) -> String? {
    let word = word.lowercased()
    var best: (word: String, distance: Int)?
    for candidate in known {
      let distance = distance(
        Array(word.unicodeScalars), Array(candidate.lowercased().unicodeScalars))
      guard distance <= max(1, candidate.unicodeScalars.count / 3) else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// Returns the number of insertions, deletions, replacements and swaps of neighbours between two
  /// words.
  ///
  /// The algorithm is optimal string alignment (the restricted form of Damerau, "A technique for
  /// computer detection and correction of spelling errors", 1964).
  private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for row in one.indices {
      var current = [row + 1]
      for column in other.indices {
        let same = one[row] == other[column]
        var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
