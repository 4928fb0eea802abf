import PolyclinicCore
import PolyclinicFormats
import Testing

@Suite struct WrittenTimeTests {
  private static let minsk = Zone("Europe/Minsk") ?? .utc

  private func time(_ text: String, in zone: Zone = minsk) -> String? {
    WrittenTime(text)?.time(in: .zone(zone), .dayFirst)?.description
  }

  @Test(arguments: [
    ("2026-05-04T11:00:00+03:00", "2026-05-04T11:00:00+03:00"),
    ("2026-05-04 11:00", "2026-05-04T11:00:00+03:00"),
    ("2026-05-04 11:00:31.123", "2026-05-04T11:00:00+03:00"),
    ("2026/05/04 9:05", "2026-05-04T09:05:00+03:00"), ("4.5.2026", "2026-05-04T00:00:00+03:00"),
    ("25/04/2026 11:00 PM", "2026-04-25T23:00:00+03:00"),
    ("25-04-2026, 12:05 am", "2026-04-25T00:05:00+03:00"),
    ("1703175193324", "2023-12-21T19:13:00+03:00"), ("1703175193", "2023-12-21T19:13:00+03:00"),
    ("20260504T110031+0300", "2026-05-04T11:00:00+03:00"),
    ("202605041100", "2026-05-04T11:00:00+03:00"), ("20260504", "2026-05-04T00:00:00+03:00"),
    ("17.02.2026 - 6:48", "2026-02-17T06:48:00+03:00"),
    ("٢٠٢٦-٠٥-٠٤ ١١:٠٠", "2026-05-04T11:00:00+03:00"),
  ])
  func `dates and clocks are read in the formats of files`(_ text: String, _ expected: String) {
    #expect(time(text) == expected)
  }

  @Test(arguments: [
    "9:40:17PM", "9:40:17 PM", "9:40:17\u{202F}PM", "9:40\u{A0}p.m.", "9:40 p. m.", "09:40pm",
    "9.40.17 PM",
    "21.40.17", "9:40 ПП", "9:40:17 אחה״צ", "9:40 אחה\"צ", "21:40:17,250", "21:40 PM", "9:40 em",
    "\u{200F}21:40\u{200F}", "21:40 Uhr",
  ])
  func `the afternoon is understood however it is written`(_ clock: String) {
    #expect(time("2025-11-03 \(clock)") == "2025-11-03T21:40:00+03:00")
  }

  @Test(arguments: [
    ("12:15 AM", "00:15"), ("12:15PM", "12:15"), ("0:15 AM", "00:15"), ("7:15 ДП", "07:15"),
    ("7:15 לפנה״צ", "07:15"),
  ])
  func `noon and midnight are those of the clock of twelve hours`(
    _ clock: String, _ expected: String
  ) {
    #expect(time("2025-11-03 \(clock)") == "2025-11-03T\(expected):00+03:00")
  }

  @Test(arguments: [
    ("+0100", "2025-06-02T18:45:00+01:00"), ("+01", "2025-06-02T18:45:00+01:00"),
    (" +01:00", "2025-06-02T18:45:00+01:00"), (".000-0930", "2025-06-02T18:45:00-09:30"),
    ("\u{2212}05:00", "2025-06-02T18:45:00-05:00"), ("Z", "2025-06-02T21:45:00+03:00"),
    (".000Z", "2025-06-02T21:45:00+03:00"), (" UTC", "2025-06-02T21:45:00+03:00"),
    (" UTC+5", "2025-06-02T18:45:00+05:00"), (" GMT+0530", "2025-06-02T18:45:00+05:30"),
    ("+02:00[Europe/Berlin]", "2025-06-02T18:45:00+02:00"),
    ("[America/New_York]", "2025-06-02T18:45:00-04:00"),
    (" Asia/Tokyo", "2025-06-02T18:45:00+09:00"),
    ("z[Asia/Tokyo]", nil), ("+05:00[Europe/Berlin]", nil), ("[Europe/Nowhere]", nil),
    (" EST", nil), ("+1:5", nil), ("+015", nil), ("+01:60", nil), ("+19:00", nil), ("xZ", nil),
    (" UTC+", nil), (" UTC+3:", nil), ("+03:00:30", nil),
  ])
  func `each zone is taken or refused, never left out`(_ zone: String, _ expected: String?) {
    #expect(time("2025-06-02T18:45:00\(zone)") == expected)
  }

  @Test(arguments: [
    "14 September 2024", "14 Sep 2024", "Sept 14, 2024", "September 14th, 2024", "14-Sep-2024",
    "Sat, 14 Sep 2024", "2024 Sep 14", "14 сентября 2024 г.", "14 сен 2024", "14 сент. 2024 г.",
    "14 בספטמבר 2024", "14 בספט׳ 2024", "14. September 2024", "14 september 2024",
    "14 septembre 2024",
    "14 de septiembre de 2024", "14 settembre 2024", "14 września 2024", "14 вересня 2024",
  ])
  func `names of months are read in the languages of files`(_ date: String) {
    #expect(time("\(date), 06:20") == "2024-09-14T06:20:00+03:00", "\(date)")
    #expect(time(date) == "2024-09-14T00:00:00+03:00", "\(date)")
  }

  @Test(arguments: [
    "", "soon", "99", "2026-13-04", "2026-02-30", "2026-05-04T25:00", "2026-05-04T11:60", "1/2/6",
    "1/2/126", "32.1.26", "26.5", "5 May", "5 May 09:05", "5 May 09.05.30", "5.3.09.05.30",
    "5 May 6", "1/2/3/2026",
    "2026-05-04 7:15:nonsense", "2026-05-04 7:15:30 nonsense", "2026-05-04 7:15:99",
    "2026-05-04 7:15:",
    "2026-05-04 7:15.", "2026-05-04 7:15 XM", "2026-05-04 19:15 AM", "2026-05-04 0:15 PM",
    "2026-05-04 7h15", "2026-05-04 7", "2026-05-04-07:00", "2026-05-04 07:15 - 08:00",
    "Mon, 5 May 2026", "5 Maybe 2026", "5 ma 2026", "12345678901", "123456789012345",
    "17031751933.5",
    "2026-05-04 11:00 \(String(repeating: "x", count: 100))",
  ])
  func `a text with anything that is not understood is no time`(_ text: String) {
    #expect(time(text) == nil)
  }

  @Test(arguments: [
    ("05.03.26 08:10", "2026-03-05T08:10:00+03:00"), ("5.3.26 8:10", "2026-03-05T08:10:00+03:00"),
    ("3/25/26 8:10 AM", "2026-03-25T08:10:00+03:00"),
    ("25/03/26, 20:10", "2026-03-25T20:10:00+03:00"),
    ("03-25-26 8:10", "2026-03-25T08:10:00+03:00"), ("1.2.00", "2000-02-01T00:00:00+02:00"),
    ("31.12.99", "2099-12-31T00:00:00+03:00"), ("14-Sep-24 6:20", "2024-09-14T06:20:00+03:00"),
    ("Sep 14, 24, 6:20 AM", "2024-09-14T06:20:00+03:00"),
    ("14 сентября 24 г. в 6:20", "2024-09-14T06:20:00+03:00"),
    ("٠٥.٠٣.٢٦ ٠٨:١٠", "2026-03-05T08:10:00+03:00"),
  ])
  func `a year of two digits is one of this century`(_ text: String, _ expected: String) {
    let order = WrittenTime(text)?.order ?? .dayFirst
    #expect(WrittenTime(text)?.time(in: .zone(Self.minsk), order)?.description == expected)
  }

  @Test func `day and month are as unclear with two digits of the year as with four`() {
    #expect(WrittenTime("05/03/26")?.isUnordered == true)
    #expect(WrittenTime("05/05/26")?.isUnordered == false)
    #expect(WrittenTime("25/03/26")?.order == .dayFirst)
    #expect(WrittenTime("03/25/26 8:10 PM")?.order == .monthFirst)
    let time = WrittenTime("05/03/26")?.time(in: .zone(Self.minsk), .monthFirst)
    #expect(time?.description == "2026-05-03T00:00:00+03:00")
  }

  @Test(arguments: ["26-03-05", "05-03-26", "26-03-05 8:10", "10-11-12"])
  func `a date with hyphens whose year could be the first or the last number is no time`(
    _ text: String
  ) {
    #expect(WrittenTime(text) == nil)
  }

  @Test func `a time that the clocks skipped is no time, and of a repeated one the first counts`()
    throws
  {
    let berlin = try #require(Zone("Europe/Berlin"))
    #expect(time("2026-03-29 02:30", in: berlin) == nil)
    #expect(time("2026-10-25 02:30", in: berlin) == "2026-10-25T02:30:00+02:00")
    #expect(time("2026-10-25 02:30+01:00", in: berlin) == "2026-10-25T02:30:00+01:00")
  }
}
