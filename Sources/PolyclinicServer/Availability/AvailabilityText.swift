import PolyclinicCore

/// How ``Availability`` is written down: a line of when it began, then a line for each span, in Unix
/// seconds of equal length, so that the end of the last line is written in its place.
extension Availability {
  private static let heading = "polyclinic availability 1 "
  private static let digits = 11

  var text: String {
    "\(Self.heading)\(Self.padded(since))\n"
      + spans.map { "\(Self.padded($0.start)) \(Self.padded($0.end))\n" }.joined()
  }

  /// The length of ``text``.
  var byteCount: Int {
    Self.heading.utf8.count + Self.digits + 1 + spans.count * 2 * (Self.digits + 1)
  }

  /// Eleven digits reach to the year 5138.
  static func padded(_ instant: Instant) -> String {
    let text = String(max(instant.seconds, 0))
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Throws ``Unreadable`` for anything but such lines. A last line that a power cut has left
  /// unfinished is left out.
  init(reading text: String) throws(Unreadable) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Behind the last line's end stands nothing, or what was not finished.
    lines.removeLast()
    guard let first = lines.first, first.hasPrefix(Self.heading),
      let since = Self.instant(first.dropFirst(Self.heading.count))
    else { throw Unreadable(line: 1) }
    var spans: [Span] = []
    for (index, line) in lines.enumerated().dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, let start = Self.instant(words[0]), let end = Self.instant(words[1]),
        start <= end, start >= spans.last?.end ?? start
      else {
        if index == lines.count - 1 { break }
        throw Unreadable(line: index + 1)
      }
      spans.append(Span(start: start, end: end))
    }
    self.init(since: since, spans: spans)
  }

  private static func instant(_ word: Substring) -> Instant? {
    guard word.utf8.count == digits, word.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int64(word).map { Instant($0) }
  }

  /// The line is not one of ours.
  struct Unreadable: Error, CustomStringConvertible {
    let line: Int

    var description: String { "line \(line) is no line of availability" }
  }
}
