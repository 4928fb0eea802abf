import PolyclinicCore
import PolyclinicSystem

extension Refusal {
  /// Returns the refusal as a sentence for a terminal. `words` translates a text.
  package func sentence(_ words: (Text) -> String) -> String {
    // Without isolation marks, because a terminal isolates text directions itself and would print
    // them.
    switch self {
    case .invalid(let field, let text): TextTable.plain("\(field): \(words(text))")
    case .conflict(let text), .gone(let text): TextTable.plain(words(text))
    case .notFound: "It was not found."
    case .forbidden, .signedOut: "It is not allowed from the command line."
    case .tooMany: "There were too many at once. Try again."
    case .malformed: "It was not understood."
    }
  }
}
