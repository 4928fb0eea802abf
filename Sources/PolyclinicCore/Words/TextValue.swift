extension Text {
  /// A value that is written in the language of whoever reads the sentence, whoever says it.
  public enum Value: Sendable, Hashable {
    /// 21 November 2026.
    case day(CalendarDate)
    /// 09:05, on clocks of that zone.
    case time(Instant, Zone)
    /// 21 November 2026 at 09:05, on clocks of that zone.
    case dateTime(Instant, Zone)
    /// 21 November 2026 at 09:05, whatever the zone.
    case local(LocalDateTime)
    /// 1,234.5, with so many digits behind the separator.
    case number(Double, fractionDigits: Int)
    /// What is called differently in each language; where one lacks a name, English or any other stands in.
    case name([Language: String])

    /// The value as that language writes it.
    public func string(in language: Language) -> String {
      switch self {
      case .day(let date): Formats(language: language, timeZone: .utc).date(date)
      case .time(let instant, let zone): Formats(language: language, timeZone: zone).time(instant)
      case .dateTime(let instant, let zone):
        Formats(language: language, timeZone: zone).dateTime(instant)
      case .local(let local): Formats(language: language, timeZone: .utc).dateTime(local)
      case .number(let value, let digits):
        Formats(language: language, timeZone: .utc).number(value, fractionDigits: digits)
      case .name(let names):
        ([language] + Language.allCases).lazy.compactMap { names[$0] }.first ?? ""
      }
    }
  }
}
