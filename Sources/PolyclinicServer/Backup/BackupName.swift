import PolyclinicCore

/// The name of a backup that the portal made by itself: `polyclinic-20261121T093000Z.backup`.
///
/// A file has it only when it is whole and on the disk; its time is when the copy was begun. Names
/// sort as their times do.
struct BackupName: Equatable, Comparable, CustomStringConvertible {
  let time: Instant
  let description: String

  private static let prefix = "polyclinic-"
  private static let suffix = ".backup"
  /// What a file is called while it is written.
  static let draftSuffix = ".new"

  /// The name of a backup begun at a time.
  init(_ time: Instant) {
    self.time = time
    description = Self.prefix + time.basicText + Self.suffix
  }

  /// Nil for a name that the portal does not give, such as that of a copy put aside by hand.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix), text.hasSuffix(Self.suffix),
      let time = Instant(
        basicText: text.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
    else { return nil }
    self.init(time)
    guard description == text else { return nil }
  }

  static func < (one: BackupName, other: BackupName) -> Bool { one.time < other.time }
}

extension Instant {
  /// Reads what ``basicText`` writes.
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
