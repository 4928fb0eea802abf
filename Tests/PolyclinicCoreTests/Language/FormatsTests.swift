import Foundation
import Testing

@testable import PolyclinicCore

@Suite struct FormatsTests {
  private let minsk: Zone
  private let day: CalendarDate

  init() throws {
    minsk = try #require(Zone("Europe/Minsk"))
    day = try #require(CalendarDate("2026-11-21"))
  }

  @Test(arguments: [
    (Language.english, "21 November 2026", "21 Nov 2026", "21 November", "5 March"),
    (.russian, "21 ноября 2026\u{202F}г.", "21 нояб. 2026\u{202F}г.", "21 ноября", "5 марта"),
    (.hebrew, "21 בנובמבר 2026", "21 בנוב׳ 2026", "21 בנובמבר", "5 במרץ"),
  ])
  func `dates are written in the format of the language`(
    language: Language, long: String, short: String, monthDay: String, march: String
  ) throws {
    let formats = Formats(language: language, timeZone: minsk)
    #expect(formats.date(day) == long)
    #expect(formats.shortDate(day) == short)
    #expect(formats.monthDay(day.monthDay) == monthDay)
    #expect(formats.monthDay(CalendarDate.MonthDay(month: 3, day: 5)) == march)
    // Before 1582, formatters change to the Julian calendar; Polyclinic does not.
    let ancient = try #require(CalendarDate("0987-11-21"))
    #expect(formats.date(ancient) == long.replacing("2026", with: "987"))
  }

  @Test(arguments: [
    (Language.english, "November 2026"), (.russian, "Ноябрь 2026"), (.hebrew, "נובמבר 2026"),
  ])
  func `a heading names a month in full and begins with a capital`(
    language: Language, month: String
  ) {
    #expect(Formats(language: language, timeZone: minsk).month(day) == month)
  }

  @Test(arguments: [
    (Language.english, "21 November 2026 at 09:05"), (.russian, "21 ноября 2026\u{202F}г. в 09:05"),
    (.hebrew, "21 בנובמבר 2026 בשעה 9:05"),
  ])
  func `a moment is written in the local time of the zone`(language: Language, text: String) throws
  {
    let formats = Formats(language: language, timeZone: minsk)
    let local = try #require(LocalDateTime("2026-11-21T09:05"))
    let moment = Instant(Int64(day.daysSince1970) * 86_400 + 6 * 3_600 + 5 * 60 + 59)
    #expect(formats.dateTime(moment) == text)
    #expect(formats.dateTime(local) == text)
    #expect(text.hasSuffix(formats.time(moment)))
    #expect(formats.day(of: moment + .hours(15)) == day.adding(days: 1))
  }

  @Test func `each day of a year is written differently and with its own year`() throws {
    let first = try #require(CalendarDate("2028-01-01"))
    for language in Language.allCases {
      let formats = Formats(language: language, timeZone: .utc)
      let written = (0..<366).map { formats.date(first.adding(days: $0)) }
      #expect(Set(written).count == 366)
      #expect(Set((0..<366).map { formats.monthDay(first.adding(days: $0).monthDay) }).count == 366)
      #expect(written.allSatisfy { $0.contains("2028") && !$0.contains("2001") })
    }
  }

  @Test(arguments: [
    (Language.english, "999", "1,234,567", "1,234.50"),
    (.russian, "999", "1\u{A0}234\u{A0}567", "1\u{A0}234,50"),
    (.hebrew, "999", "1,234,567", "1,234.50"),
  ])
  func `numbers are grouped in the format of the language`(
    language: Language, small: String, large: String, decimal: String
  ) {
    let formats = Formats(language: language, timeZone: .utc)
    #expect(formats.number(999) == small)
    #expect(formats.number(1_234_567) == large)
    #expect(formats.number(1_234.5, fractionDigits: 2) == decimal)
    #expect(formats.number(-1_234).hasSuffix("\u{2212}" + formats.number(1_234)))
    #expect(formats.number(72.46, fractionDigits: 1).count == 4)
  }

  @Test(arguments: [
    (72.0, "72"), (72.5, "72.5"), (72.46, "72.46"), (72.504, "72.5"), (0, "0"), (1_200, "1,200"),
  ])
  func `a number has no more digits than it needs, and at most those that are asked for`(
    _ value: Double, _ text: String
  ) {
    #expect(Formats(language: .english, timeZone: .utc).number(value, atMost: 2) == text)
  }

  @Test(arguments: [(Language.english, "99.9%"), (.russian, "99,9\u{A0}%"), (.hebrew, "99.9%")])
  func `a percentage has the sign where the language has it`(_ language: Language, _ text: String) {
    let formats = Formats(language: language, timeZone: .utc)
    #expect(formats.percent(99.9, fractionDigits: 1) == text)
  }

  @Test func `a time of day is written like the time of a moment`() throws {
    let time = try #require(TimeOfDay("08:00"))
    #expect(Formats(language: .english, timeZone: .utc).time(time) == "08:00")
    #expect(Formats(language: .hebrew, timeZone: .utc).time(time) == "8:00")
  }

  @Test(arguments: Language.allCases)
  func `numbers are written as Foundation writes them`(language: Language) {
    let patterns = FormatPatterns.of(language)
    for value in [1_000, 1_005, 12_050, 999_999, 1_000_000, 987_654_321, .max] {
      let expected = value.formatted(patterns.integer)
      #expect(Formats.number(value, in: language) == expected)
    }
    let decimals = [
      0, 0.004, 0.05, 1.005, 1.015, 2.5, 9.995, 9.999, 999.5, 72.349, 1e8, 2e15, -0.0, -7.25,
    ]
    for value in decimals + (1...200).map({ 1e7 / Double($0 * $0 * 7) }) {
      for digits in 0...3 {
        let expected = value.formatted(patterns.decimal.precision(.fractionLength(digits)))
        let formats = Formats(language: language, timeZone: .utc)
        #expect(formats.number(value, fractionDigits: digits) == expected)
      }
    }
  }

  @Test func `a number and its unit stay together, also in Hebrew`() {
    func formats(_ language: Language) -> Formats { Formats(language: language, timeZone: .utc) }
    #expect(formats(.english).quantity(9.7, "mmol/L", atMost: 1) == "9.7\u{A0}mmol/L")
    #expect(formats(.russian).quantity(9.7, "ммоль/л", atMost: 1) == "9,7\u{A0}ммоль/л")
    #expect(formats(.hebrew).quantity("120/80", "mmHg") == "\u{2068}120/80\u{A0}mmHg\u{2069}")
    #expect(formats(.hebrew).quantity(72, "\u{202E}kg", atMost: 1) == "\u{2068}72\u{A0}kg\u{2069}")
  }
}
