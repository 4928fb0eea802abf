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
    /// A number with its unit such as 9.7 mmol/L, with that many digits after the separator.
    case quantity(Double, fractionDigits: Int, unit: String)
    /// Another sentence of the same catalogs, such as the name of a record, which keeps its own
    /// isolated values.
    case text(Text)
    /// A name that differs between languages; a missing one is replaced by English or any other.
    case name([Language: String])

    /// Returns the value as it stands in a sentence, isolated if its direction may differ from the
    /// sentence's.
    func inserted(in language: Language, by phrasebook: Phrasebook) -> String {
      if case .text(let text) = self {
        return phrasebook.string(text, in: language).enclosed(in: language)
      }
      return string(in: language).isolated(in: language)
    }

    /// Returns the value as written in that language; of a sentence, its key.
    public func string(in language: Language) -> String {
      let formats = Formats(language: language, timeZone: .utc)
      switch self {
      case .day(let date): return formats.date(date)
      case .time(let instant, let zone):
        return Formats(language: language, timeZone: zone).time(instant)
      case .dateTime(let instant, let zone):
        return Formats(language: language, timeZone: zone).dateTime(instant)
      case .local(let local): return formats.dateTime(local)
      case .number(let value, let digits): return formats.number(value, fractionDigits: digits)
      case .quantity(let value, let digits, let unit):
        return formats.quantity(formats.number(value, fractionDigits: digits), unit)
      case .text(let text): return text.key
      case .name(let names):
        return ([language] + Language.allCases).lazy.compactMap { names[$0] }.first ?? ""
      }
    }
  }
}
