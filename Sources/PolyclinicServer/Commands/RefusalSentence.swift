import PolyclinicCore

extension Refusal {
  /// For a terminal, with texts in the words that `words` finds for them.
  func sentence(_ words: (Text) -> String) -> String {
    // A terminal has its own isolation of directions: the marks would be printed as they are.
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
