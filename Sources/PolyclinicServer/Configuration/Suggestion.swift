import PolyclinicCore

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
      let distance = Slips.count(
        in: Array(word.unicodeScalars), for: Array(candidate.lowercased().unicodeScalars))
      guard distance <= max(1, candidate.unicodeScalars.count / 3) else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }
}
