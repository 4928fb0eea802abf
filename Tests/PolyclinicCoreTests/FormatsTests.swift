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
    (Language.english, "21 November 2026", "21/11/2026", "21 November", "5 March"),
    (.russian, "21 ноября 2026\u{202F}г.", "21.11.2026", "21 ноября", "5 марта"),
    (.hebrew, "21 בנובמבר 2026", "21.11.2026", "21 בנובמבר", "5 במרץ"),
  ])
  func `dates are written as the language writes them`(
    language: Language, long: String, short: String, monthDay: String, march: String
  ) throws {
    let formats = Formats(language: language, timeZone: minsk)
    #expect(formats.date(day) == long)
    #expect(formats.shortDate(day) == short)
    #expect(formats.monthDay(day.monthDay) == monthDay)
    #expect(formats.monthDay(MonthDay(month: 3, day: 5)) == march)
    // Before 1582 too, where formatters change to the Julian calendar and we do not.
    let ancient = try #require(CalendarDate("0987-11-21"))
    #expect(formats.date(ancient) == long.replacing("2026", with: "987"))
  }

  @Test(arguments: [
    (Language.english, "21 November 2026 at 09:05"), (.russian, "21 ноября 2026\u{202F}г. в 09:05"),
    (.hebrew, "21 בנובמבר 2026 בשעה 9:05"),
  ])
  func `a moment is written by the clocks of the zone`(language: Language, text: String) throws {
    let formats = Formats(language: language, timeZone: minsk)
    let local = try #require(LocalDateTime("2026-11-21T09:05"))
    let moment = Instant(Int64(day.daysSince1970) * 86_400 + 6 * 3_600 + 5 * 60 + 59)
    #expect(formats.dateTime(moment) == text)
    #expect(formats.dateTime(local) == text)
    #expect(text.hasSuffix(formats.time(moment)))
    #expect(formats.day(of: moment + .hours(15)) == day.adding(days: 1))
  }

  @Test func `every day of a year keeps its number and month in every language`() throws {
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
  func `numbers are grouped as the language groups them`(
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
    (Language.english, "+1.2", "\u{2212}0.8", "±0.0"), (.russian, "+1,2", "\u{2212}0,8", "±0,0"),
    (.hebrew, "\u{200E}+1.2", "\u{200E}\u{2212}0.8", "\u{200E}±0.0"),
  ])
  func `a change has its sign before it, also from right to left`(
    language: Language, more: String, less: String, nothing: String
  ) {
    let formats = Formats(language: language, timeZone: .utc)
    #expect(formats.change(1.2, fractionDigits: 1) == more)
    #expect(formats.change(-0.8, fractionDigits: 1) == less)
    #expect(formats.change(-0.04, fractionDigits: 1) == nothing)
  }

  @Test func `a time of the day is written as that of a moment`() throws {
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

  @Test func `every country has a name in every language`() {
    #expect(Countries.all.count == 249)
    #expect(Countries.all == Countries.all.sorted())
    #expect(Set(Countries.all).count == 249)
    for language in Language.allCases {
      for code in Countries.all {
        let name = Countries.name(code, in: language)
        #expect(name != nil && name != code, "\(code)")
      }
      let sorted = Countries.sorted(in: language)
      #expect(Set(sorted.map(\.code)) == Set(Countries.all))
    }
    #expect(Countries.name("IL", in: .hebrew) == "ישראל")
    #expect(Countries.name("BY", in: .russian) == "Беларусь")
    #expect(
      Countries.sorted(in: .english).map(\.name).prefix(2) == ["Afghanistan", "Åland Islands"])
  }

  @Test(arguments: ["", "il", "XX", "ILL", "🇮🇱", "../"])
  func `what is no country has no name`(code: String) {
    #expect(Countries.name(code, in: .english) == nil)
  }
}
