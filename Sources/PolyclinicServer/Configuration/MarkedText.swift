import Yams

/// A YAML text whose places are found by the parser's marks.
struct MarkedText {
  let text: String
  private let lines: [String.Index]

  init(_ text: String) {
    self.text = text
    var lines = [text.startIndex]
    let scalars = text.unicodeScalars
    for index in scalars.indices where Self.isBreak(scalars[index]) {
      let next = scalars.index(after: index)
      // A line feed after a carriage return ends the line that the latter would have ended.
      if scalars[index] == "\r", next < scalars.endIndex, scalars[next] == "\n" { continue }
      lines.append(next)
    }
    self.lines = lines
  }

  /// The breaks that libyaml counts (YAML 1.1, 5.4).
  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  /// Where the mark points; nil when the text has no such place.
  func index(of mark: Mark) -> String.Index? {
    guard lines.indices.contains(mark.line - 1) else { return nil }
    let scalars = text.unicodeScalars
    return scalars.index(
      lines[mark.line - 1], offsetBy: mark.column - 1, limitedBy: scalars.endIndex)
  }

  /// The beginning of the line after the mark's; nil when the mark's line is the last.
  func lineAfter(_ mark: Mark) -> String.Index? {
    lines.indices.contains(mark.line) ? lines[mark.line] : nil
  }

  /// What ends the text's first line, `\n` when there is only one.
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

  /// The text with something else in the place of a range.
  func replacing(_ range: Range<String.Index>, with replacement: String) -> String {
    var scalars = text.unicodeScalars
    scalars.replaceSubrange(range, with: replacement.unicodeScalars)
    return String(scalars)
  }
}
