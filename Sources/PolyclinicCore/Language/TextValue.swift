extension Text {
  /// A value that is formatted in the reader's language.
  public enum Value: Sendable, Hashable {
    /// A date such as 21 November 2026.
    case day(CalendarDate)
    /// A time such as 09:05, in that time zone.
    case time(Instant, Zone)
    /// A date and time such as 21 November 2026 at 09:05, in that time zone.
    case dateTime(Instant, Zone)
    /// A local date and time such as 21 November 2026 at 09:05.
    case local(LocalDateTime)
    /// A number such as 1,234.5, with that many digits after the separator.
    case number(Double, fractionDigits: Int)
    /// A name that differs between languages; a missing one is replaced by English or any other.
    case name([Language: String])

    /// Returns the value as written in that language.
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
