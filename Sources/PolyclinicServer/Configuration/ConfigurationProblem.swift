/// One thing that is wrong with the configuration, at its place, in words that say the remedy.
struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file's path, or the name of an environment variable.
  let source: String
  /// Line and column from 1; nil for what has no place, such as a missing file.
  let place: Place?
  /// The key's full path, such as `modules.contacts`; empty for the file as a whole.
  let key: String
  let message: String

  struct Place: Sendable, Hashable {
    let line: Int
    let column: Int
  }

  var description: String {
    var text = source
    if let place { text += ":\(place.line):\(place.column)" }
    if !key.isEmpty { text += ": \(key)" }
    return text + ": " + message
  }
}

/// The configuration cannot be used; a command that meets it ends with status 2.
struct ConfigurationError: Error, CustomStringConvertible {
  /// All problems that were found, in the order of the file; at least one.
  let problems: [ConfigurationProblem]

  init(_ problems: [ConfigurationProblem]) {
    self.problems = problems.sorted {
      ($0.place?.line ?? 0, $0.place?.column ?? 0) < ($1.place?.line ?? 0, $1.place?.column ?? 0)
    }
  }

  init(_ source: String, _ message: String) {
    problems = [ConfigurationProblem(source: source, place: nil, key: "", message: message)]
  }

  /// One problem a line.
  var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// What a misspelt word was meant to be, and what it could have been.
enum Suggestion {
  /// ` Did you mean "contacts"? Known: appointments, contacts.`; empty when nothing is known.
  static func sentence(for word: String, among known: [String]) -> String {
    guard !known.isEmpty else { return "" }
    let list = " Known: \(known.joined(separator: ", "))"
    guard let nearest = nearest(to: word, among: known) else { return list }
    return " Did you mean \"\(nearest)\"?" + list
  }

  /// The known word at the least distance, when a third of the letters or fewer differ.
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

  /// Insertions, deletions, replacements and swaps of neighbours between two words (optimal string
  /// alignment, the restricted form of Damerau, "A technique for computer detection and correction
  /// of spelling errors", 1964).
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
