import PolyclinicCore

/// The text format of ``UptimeHistory``: a line with the first start and the ``Clock``, then a line
/// for each span. All times are Unix seconds of equal length, so that the last end can be
/// overwritten in place.
extension UptimeHistory {
  private static let heading = "polyclinic availability 1 "
  private static let digits = 12

  package var text: String {
    firstLine + spans.map { "\(Self.padded($0.start)) \(Self.padded($0.end))\n" }.joined()
  }

  private var firstLine: String {
    let clock = clock.map { " \($0.lead) \($0.boot)" } ?? ""
    return "\(Self.heading)\(Self.padded(since))\(clock)\n"
  }

  /// The length of ``text`` in bytes.
  package var byteCount: Int { firstLine.utf8.count + spans.count * 2 * (Self.digits + 1) }

  /// Returns the time as twelve digits, which reach to the year 33658.
  package static func padded(_ instant: Instant) -> String {
    let text = String(max(instant.seconds, 0))
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Reads the text format. Throws ``Unreadable`` for other lines, but ignores a last line that a
  /// power cut has left unfinished.
  package init(reading text: String) throws(Unreadable) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // The text after the last line feed is empty or an unfinished line.
    lines.removeLast()
    guard let first = lines.first, first.hasPrefix(Self.heading) else { throw Unreadable(line: 1) }
    let words = first.dropFirst(Self.heading.count)
      .split(separator: " ", omittingEmptySubsequences: false)
    guard let since = words.first.flatMap(Self.instant) else { throw Unreadable(line: 1) }
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
    if words.count == 3, let lead = Int64(words[1]) {
      clock = Clock(lead: lead, boot: String(words[2]))
    }
  }

  private static func instant(_ word: Substring) -> Instant? {
    guard word.utf8.count == digits, word.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int64(word).map { Instant($0) }
  }

  /// An error: the line is not in the format.
  package struct Unreadable: Error, CustomStringConvertible {
    let line: Int

    package var description: String { "line \(line) is no line of availability" }
  }
}
