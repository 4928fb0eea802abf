import Glibc
import PolyclinicSystem

/// An error in the configuration, with its position and a message that names the remedy.
struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file's path, or the name of an environment variable.
  let source: String
  /// The line and column from 1; nil for a problem without a position, such as a missing file.
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

/// The configuration is invalid. A command that receives this error ends with status 2.
struct ConfigurationError: Error, CustomStringConvertible {
  /// All problems in the order of the file; at least one.
  let problems: [ConfigurationProblem]

  init(_ problems: [ConfigurationProblem]) {
    self.problems = problems.sorted {
      ($0.place?.line ?? 0, $0.place?.column ?? 0) < ($1.place?.line ?? 0, $1.place?.column ?? 0)
    }
  }

  init(_ source: String, _ message: String) {
    problems = [ConfigurationProblem(source: source, place: nil, key: "", message: message)]
  }

  /// Creates the error of a configuration file that cannot be read.
  init(_ path: String, _ error: TextFileError) {
    var message = "\(error)"
    if case .unreadable(let error) = error, error.code == ENOENT {
      message += "; name it with --config, or let \"make run\" make one"
    }
    self.init(path, message)
  }

  /// The problems, one on each line.
  var description: String { problems.map(\.description).joined(separator: "\n") }
}
