/// The CHECK constraints in the text of a table, of which no pragma tells.
struct CheckClauses {
  /// The conditions, each on one line.
  private(set) var all: Set<String> = []

  init(in statement: String) {
    var rest = Self.withoutTextsAndComments(statement)[...]
    while let range = rest.firstRange(of: /(?i)\bCHECK\s*\(/) {
      let begin = rest.index(before: range.upperBound)
      let end = Self.end(ofParenthesesAt: begin, in: rest)
      all.insert(oneLine(String(rest[begin..<end])))
      rest = rest[end...]
    }
  }

  /// The index behind the parenthesis that closes the one at `begin`.
  private static func end(
    ofParenthesesAt begin: Substring.Index, in text: Substring
  ) -> Substring.Index {
    var depth = 0
    for index in text[begin...].indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return text.index(after: index) }
    }
    return text.endIndex
  }

  /// Parentheses count only outside of `'texts'` and `-- comments`; what a text says still tells
  /// one condition from another, so that its own are written as brackets.
  private static func withoutTextsAndComments(_ statement: String) -> String {
    statement.replacing(/--[^\n]*/, with: " ").replacing(/'(?:[^']|'')*'/) { match in
      match.output.replacing("(", with: "[").replacing(")", with: "]")
    }
  }
}
