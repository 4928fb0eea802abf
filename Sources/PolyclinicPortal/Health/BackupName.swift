import PolyclinicCore

/// The name of a scheduled backup: `polyclinic-20261121T093000Z.backup`.
///
/// A file gets this name when it is complete and on the disk. The time is the start of the copy.
/// Names sort by time.
package struct BackupName: Equatable, Comparable, CustomStringConvertible {
  package let time: Instant
  package let description: String

  private static let prefix = "polyclinic-"
  private static let suffix = ".backup"
  /// The suffix of a file that is still being written.
  package static let draftSuffix = ".new"

  /// Creates the name of a backup started at a time.
  package init(_ time: Instant) {
    self.time = time
    description = Self.prefix + time.basicText + Self.suffix
  }

  /// Returns nil for other names, such as that of a copy made by hand.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.prefix), text.hasSuffix(Self.suffix),
      let time = Instant(
        basicText: text.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
    else { return nil }
    self.init(time)
    guard description == text else { return nil }
  }

  package static func < (one: BackupName, other: BackupName) -> Bool { one.time < other.time }
}

extension Instant {
  /// Parses the format of ``basicText``.
  fileprivate init?(basicText text: Substring) {
    let digits = Array(text.utf8)
    guard digits.count == 16, digits[8] == UInt8(ascii: "T"), digits[15] == UInt8(ascii: "Z") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int? { Int(String(decoding: digits[range], as: UTF8.self)) }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
      let date = CalendarDate(year: year, month: month, day: day)
    else { return nil }
    self.init(Int64(date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second))
  }
}
