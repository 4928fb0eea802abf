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
