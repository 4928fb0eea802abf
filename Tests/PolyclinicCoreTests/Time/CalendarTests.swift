import PolyclinicCore
import Testing

@Suite struct CalendarTests {
  @Test func `a time zone is found by its identifier`() throws {
    let kathmandu = try #require(Zone("Asia/Kathmandu"))
    #expect(kathmandu.offset(at: Instant(0)) == .seconds(19_800))
    #expect(kathmandu.offset(at: Instant(1_795_000_000)) == .seconds(20_700))
    #expect(Zone("UTC") == .utc)
    #expect(Zone.utc.offset(at: Instant(1_795_000_000)) == .seconds(0))
  }

  @Test(arguments: ["UTC", "Europe/Minsk", "America/New_York"])
  func `the first and last instants have local times in each zone`(identifier: String) throws {
    let zone = try #require(Zone(identifier))
    #expect(LocalDateTime(Instant(.min), in: zone) < LocalDateTime(Instant(.max), in: zone))
    #expect(Int64(-1).floorDivided(by: 86_400) == (-1, 86_399))
    #expect(LocalDateTime(Instant(-1), in: .utc).description == "1969-12-31T23:59")
  }

  @Test(arguments: [
    "", "Nowhere/Land", "../../etc/passwd", "Europe/Minsk\0", "Европа/Минск", "Europe/ Minsk",
    String(repeating: "A", count: 10_000),
  ])
  func `an unknown or malformed zone identifier is refused`(identifier: String) {
    #expect(Zone(identifier) == nil)
  }

  @Test(
    arguments: [
      // A time in the spring gap, the repeated hour of autumn and ordinary times.
      ("Europe/Berlin", "2026-03-29T02:30", [1_774_747_800], false),
      ("Europe/Berlin", "2026-10-25T02:30", [1_792_888_200, 1_792_891_800], true),
      ("Europe/Berlin", "2026-10-25T03:00", [1_792_893_600], true),
      ("Europe/Berlin", "2026-10-25T01:59", [1_792_886_340], true),
      ("America/New_York", "2026-03-08T02:00", [1_772_953_200], false),
      ("America/New_York", "2026-03-08T03:00", [1_772_953_200], true),
      ("America/New_York", "2026-11-01T01:00", [1_793_509_200, 1_793_512_800], true),
      ("Asia/Jerusalem", "2026-03-27T02:15", [1_774_570_500], false),
      ("Asia/Jerusalem", "2026-10-25T01:15", [1_792_880_100, 1_792_883_700], true),
      ("Europe/Minsk", "2026-03-29T02:30", [1_774_740_600], true),
      ("Europe/Minsk", "2026-10-25T02:30", [1_792_884_600], true),
      // A skipped day: Samoa crossed the date line.
      ("Pacific/Apia", "2011-12-30T12:00", [1_325_282_400], false),
      // A skipped day: Samoa crossed the date line.
      ("Pacific/Apia", "2011-12-30T12:00", [1_325_282_400], false),
      ("UTC", "1969-12-31T23:59", [-60], true),
    ] as [(String, String, [Int64], Bool)])
  func `a local time has one moment, two or none`(
    zone: String, local: String, seconds: [Int64], exists: Bool
  ) throws {
    let zone = try #require(Zone(zone))
    let time = try #require(LocalDateTime(local))
    let expected: LocalDateTime.Moments =
      switch (exists, seconds.count) {
      case (false, _): .none(next: Instant(seconds[0]))
      case (true, 1): .one(Instant(seconds[0]))
      default: .two(Instant(seconds[0]), Instant(seconds[1]))
      }
    #expect(time.moments(in: zone) == expected)
    for second in seconds where exists {
      #expect(LocalDateTime(Instant(second), in: zone) == time)
    }
  }

  @Test func `every hour of a year is found again from its local time`() throws {
    for name in ["Europe/Berlin", "America/New_York", "Asia/Jerusalem", "Europe/Minsk"] {
      let zone = try #require(Zone(name))
      var twice = 0
      for hour in 0..<(365 * 24) {
        let instant = Instant(1_767_225_600 + Int64(hour) * 3_600)
        switch LocalDateTime(instant, in: zone).moments(in: zone) {
        case .one(let moment): #expect(moment == instant)
        case .two(let one, let other):
          twice += 1
          #expect(instant == one || instant == other)
        case .none: Issue.record("\(instant) has no local time in \(name)")
        }
      }
      #expect(twice == (name == "Europe/Minsk" ? 0 : 2))
    }
  }

  @Test(arguments: [
    "", "T", "2026-11-21", "2026-11-21T", "2026-11-21T9:05", "2026-11-21T24:00", "2026-11-21T23:60",
    "2026-02-29T10:00", "2026-11-21T10:00:00", "2026-11-21T10:00Z", "2026-11-21 10:00",
    "2026-11-21T+1:00", "2026-11-21T١٠:00", "2026-11-21TT10:00",
  ])
  func `a malformed local time is refused`(text: String) {
    #expect(LocalDateTime(text) == nil)
  }

  @Test func `a local time is written in the form in which it was read`() {
    for text in ["2026-11-21T09:05", "0001-01-01T00:00", "9999-12-31T23:59"] {
      #expect(LocalDateTime(text)?.description == text)
    }
  }

  @Test(arguments: [
    "0001-01-01", "1582-10-10", "1970-01-01", "2000-02-29", "2100-02-28", "9999-12-31",
  ])
  func `a date converted to a day count and back is the same`(text: String) throws {
    let day = try #require(CalendarDate(text))
    #expect(CalendarDate(daysSince1970: day.daysSince1970) == day)
    #expect(day.description == text)
  }

  @Test func `the day after 9999-12-31 is written with five digits of the year`() throws {
    let last = try #require(CalendarDate("9999-12-31"))
    #expect(last.adding(days: 1).description == "10000-01-01")
  }

  @Test(arguments: [
    "2023-02-29", "2100-02-29", "2026-13-01", "2026-00-01", "2026-1-01", "0000-01-01", "+026-01-01",
  ])
  func `a malformed or impossible date is refused`(text: String) {
    #expect(CalendarDate(text) == nil)
  }
}
