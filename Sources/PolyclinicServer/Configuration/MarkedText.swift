import Yams

/// A YAML text that maps the parser's marks to string indices.
struct MarkedText {
  let text: String
  private let lines: [String.Index]

  init(_ text: String) {
    self.text = text
    var lines = [text.startIndex]
    let scalars = text.unicodeScalars
    for index in scalars.indices where Self.isBreak(scalars[index]) {
      let next = scalars.index(after: index)
      // A carriage return and the line feed after it are one line break.
      if scalars[index] == "\r", next < scalars.endIndex, scalars[next] == "\n" { continue }
      lines.append(next)
    }
    self.lines = lines
  }

  /// True for the line breaks that libyaml counts (YAML 1.1, 5.4).
  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  /// Returns the index of the mark; nil if it is outside the text.
  func index(of mark: Mark) -> String.Index? {
    guard lines.indices.contains(mark.line - 1) else { return nil }
    let scalars = text.unicodeScalars
    return scalars.index(
      lines[mark.line - 1], offsetBy: mark.column - 1, limitedBy: scalars.endIndex)
  }

  /// Returns the start of the line of the mark; nil if it is outside the text.
  func lineStart(_ mark: Mark) -> String.Index? {
    lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : nil
  }

  /// Returns the start of the line after the mark; nil in the last line.
  func lineAfter(_ mark: Mark) -> String.Index? {
    lines.indices.contains(mark.line) ? lines[mark.line] : nil
  }

  /// The line break of the first line; `\n` if there is only one line.
  var lineBreak: String {
    let scalars = text.unicodeScalars
    guard lines.count > 1 else { return "\n" }
    let end = lines[1]
    let last = scalars.index(before: end)
    guard scalars[last] == "\n", last > scalars.startIndex,
      scalars[scalars.index(before: last)] == "\r"
    else { return String(scalars[last]) }
    return "\r\n"
  }

  /// Returns the text with the range replaced.
  func replacing(_ range: Range<String.Index>, with replacement: String) -> String {
    var scalars = text.unicodeScalars
    scalars.replaceSubrange(range, with: replacement.unicodeScalars)
    return String(scalars)
  }
}
