import PolyclinicCore

/// A suggestion for a misspelt word.
struct Suggestion {
  /// The known word at the least distance, if at most a third of its letters differ.
  let nearest: String?
  /// ` Did you mean "contacts"? Known: appointments, contacts.`; empty if no word is known.
  let sentence: String

  init(for word: String, among known: [String]) {
    let word = word.lowercased()
    var best: (word: String, distance: Int)?
    for candidate in known {
      let distance = Array(word.unicodeScalars)
        .slips(for: Array(candidate.lowercased().unicodeScalars))
      guard distance <= max(1, candidate.unicodeScalars.count / 3) else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    nearest = best?.word
    let question = nearest.map { " Did you mean \"\($0)\"?" } ?? ""
    sentence = known.isEmpty ? "" : "\(question) Known: \(known.joined(separator: ", "))"
  }
}
