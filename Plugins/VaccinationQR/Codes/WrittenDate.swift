import PolyclinicCore

/// A date of a certificate, with the time that may follow it, as the issuer's clock showed both.
///
/// Issuers write a day as midnight in their own zone or in UTC. The day stays the same in every
/// zone in which it is read.
struct WrittenDate {
  /// The local date and time.
  private let local: LocalDateTime
  /// The offset from UTC; nil if none is written.
  private let offset: Seconds?

  /// Parses `2021-06-01`, followed by nothing or by a time with or without an offset:
  /// `T00:00:00+02:00`, ` 00:00`. Returns nil for other text, such as a year alone.
  init?(_ text: String) {
    let time = text.dropFirst(10).filter { !"Tt ".contains($0) }
    let written = "\(text.prefix(10))T\(time.isEmpty ? "00:00" : time)"
    if let moment = ZonedTime(Self.withColon(written)) {
      (local, offset) = (moment.local, moment.offset)
    } else if let moment = ZonedTime("\(written)Z") {
      (local, offset) = (moment.local, nil)
    } else {
      return nil
    }
  }

  /// Returns the text with the colon, or the minutes, that ISO 8601 lets an offset leave out.
  private static func withColon(_ text: String) -> String {
    guard let sign = text.dropFirst(11).lastIndex(where: { "+-".contains($0) }) else { return text }
    switch text[sign...].count {
    case 3: return text + ":00"
    case 5: return "\(text.dropLast(2)):\(text.suffix(2))"
    default: return text
    }
  }

  /// Returns the date, with its time and offset unless the time is midnight.
  func words(in formats: Formats) -> String {
    if local.hour == 0, local.minute == 0 { return formats.date(local.date) }
    guard let offset else { return formats.dateTime(local) }
    let zone = offset == Seconds(0) ? "UTC" : "UTC\(ZonedTime.written(offset))"
    return "\(formats.dateTime(local)) (\(zone))"
  }
}
