import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct DoctorScheduleTests {
  /// Days with a clock change, the days around them, and ordinary days.
  static let days: [(zone: String, date: String)] = [
    ("Europe/Rome", "2026-03-28"), ("Europe/Rome", "2026-03-29"), ("Europe/Rome", "2026-03-30"),
    ("Europe/Rome", "2026-10-24"), ("Europe/Rome", "2026-10-25"), ("Europe/Rome", "2026-10-26"),
    ("Asia/Kathmandu", "2026-07-01"), ("America/St_Johns", "2026-03-08"),
    ("America/St_Johns", "2026-11-01"), ("America/St_Johns", "2010-11-06"),
    ("America/St_Johns", "2010-11-07"), ("Pacific/Apia", "2011-12-29"),
    ("Pacific/Apia", "2011-12-30"), ("Pacific/Apia", "2011-12-31"), ("Pacific/Apia", "2026-06-01"),
    ("Asia/Jerusalem", "2026-03-27"), ("Asia/Jerusalem", "2026-10-25"),
    ("Africa/Cairo", "2026-04-24"), ("Africa/Cairo", "2026-10-29"), ("Africa/Cairo", "2026-10-30"),
    ("Australia/Lord_Howe", "2026-10-04"), ("Australia/Lord_Howe", "2026-04-05"),
    ("Pacific/Kiritimati", "2026-01-01"), ("Etc/GMT+12", "2026-01-01"),
  ]

  @Test(arguments: days)
  func `a doctor works whenever the clinic's local time is within the hours`(
    zone name: String, date text: String
  ) throws {
    let zone = try #require(Zone(name))
    let date = try #require(CalendarDate(text))
    let minutes = [0..<45, 125..<150, 155..<170, 540..<780, 840..<1020, 1410..<1440]
    let schedule = DoctorSchedule(
      zone: zone, days: date...date,
      hours: minutes.map { DoctorSchedule.Hours(weekday: date.weekday, minutes: $0, kind: .work) })
    let working = schedule.working(on: date)
    let midnight = Int64(date.daysSince1970) * 86_400
    for second in stride(from: midnight - 100_000, to: midnight + 200_000, by: 60) {
      let moment = Instant(second)
      let shown = LocalDateTime(moment, in: zone)
      let minute = shown.hour * 60 + shown.minute
      let isWorkingTime = shown.date == date && minutes.contains { $0.contains(minute) }
      #expect(working.contains { $0.contains(moment) } == isWorkingTime, "\(shown)")
    }
  }

  @Test func `hours that start in a skipped hour start at the clock change`() throws {
    let working = try rome("2026-03-29", 150..<240)
    let three = try instant("2026-03-29T03:00", "Europe/Rome")
    #expect(working == [three..<three + .hours(1)])
    #expect(try rome("2026-03-29", 120..<180).isEmpty)
  }

  @Test func `working time on a day with a clock change is elapsed time`() throws {
    #expect(try length(of: rome("2026-03-29", 0..<1440)) == .hours(23))
    #expect(try length(of: rome("2026-10-25", 0..<1440)) == .hours(25))
    #expect(try length(of: rome("2026-10-25", 60..<240)) == .hours(4))
    #expect(try rome("2026-10-25", 60..<240).count == 1)
  }

  @Test func `hours within the repeated hour are worked twice`() throws {
    let working = try rome("2026-10-25", 135..<165)
    let quarterPast = Instant(1_792_887_300)
    #expect(LocalDateTime(quarterPast, in: try #require(Zone("Europe/Rome"))).minute == 15)
    #expect(
      working == [
        quarterPast..<quarterPast + .minutes(30),
        quarterPast + .hours(1)..<quarterPast + .minutes(90),
      ])
  }

  @Test func `a day skipped by the time zone has no working time`() throws {
    let date = try #require(CalendarDate("2011-12-30"))
    let schedule = DoctorSchedule(
      zone: try #require(Zone("Pacific/Apia")), days: date...date,
      hours: [DoctorSchedule.Hours(weekday: 5, minutes: 0..<1440, kind: .work)])
    #expect(schedule.working(on: date).isEmpty)
  }

  @Test func `extra hours override breaks, and time off overrides all hours`() throws {
    let monday = try #require(CalendarDate("2026-11-23"))
    let hours = [
      DoctorSchedule.Hours(weekday: 1, minutes: 540..<1020, kind: .work),
      DoctorSchedule.Hours(weekday: 1, minutes: 780..<840, kind: .break),
      DoctorSchedule.Hours(weekday: 2, minutes: 0..<60, kind: .work),
    ]
    func minutes(_ specialDays: DoctorSchedule.SpecialDay...) -> [Range<Int64>] {
      DoctorSchedule(zone: .utc, days: monday...monday, hours: hours, specialDays: specialDays)
        .working(on: monday).map {
          let midnight = Int64(monday.daysSince1970) * 86_400
          let start = ($0.lowerBound.seconds - midnight) / 60
          return start..<($0.upperBound.seconds - midnight) / 60
        }
    }
    #expect(minutes() == [540..<780, 840..<1020])
    #expect(
      minutes(DoctorSchedule.SpecialDay(date: monday, minutes: 770..<800, kind: .extra))
        == [540..<800, 840..<1020])
    #expect(
      minutes(
        DoctorSchedule.SpecialDay(date: monday, minutes: 600..<900, kind: .off),
        DoctorSchedule.SpecialDay(date: monday, minutes: 1_020..<1_080, kind: .extra),
        DoctorSchedule.SpecialDay(date: monday.adding(days: 7), minutes: 0..<1440, kind: .off))
        == [540..<600, 900..<1_080])
    #expect(minutes(DoctorSchedule.SpecialDay(date: monday, minutes: 0..<1440, kind: .off)).isEmpty)
  }

  @Test func `a day outside the schedule has no working time`() throws {
    let monday = try #require(CalendarDate("2026-11-23"))
    let schedule = DoctorSchedule(
      zone: .utc, days: monday...monday,
      hours: [DoctorSchedule.Hours(weekday: 1, minutes: 0..<1440, kind: .work)])
    #expect(schedule.working(on: monday.adding(days: 7)).isEmpty)
  }

  @Test func `a span is covered only if all of it is working time`() throws {
    let monday = try #require(CalendarDate("2026-11-23"))
    let schedule = DoctorSchedule(
      zone: .utc, days: monday...monday,
      hours: [DoctorSchedule.Hours(weekday: 1, minutes: 540..<1020, kind: .work)])
    let nine = try instant("2026-11-23T09:00", "UTC")
    #expect(schedule.covers(nine..<nine + .hours(8)))
    #expect(!schedule.covers(nine..<nine + .hours(8) + .minutes(5)))
    #expect(!schedule.covers(nine - .minutes(5)..<nine + .minutes(5)))
  }

  @Test func `weekdays are counted from Monday`() throws {
    #expect(try #require(CalendarDate("2026-11-23")).weekday == 1)
    #expect(try #require(CalendarDate("2026-11-22")).weekday == 7)
    #expect(try #require(CalendarDate("1969-12-31")).weekday == 3)
    #expect(try #require(CalendarDate("1600-02-29")).weekday == 2)
  }

  @Test func `the stored schedule applies the specialDays of the doctor and the clinic`() throws {
    let town = try Town(zone: "Europe/Rome")
    let monday = try #require(CalendarDate("2026-11-23"))
    let working = try town.portal.write { connection in
      try connection.run(
        """
        INSERT INTO appointments_exceptions (doctor, clinic, date, starts, ends, kind) VALUES
          (\(town.doctor), NULL, '2026-11-23', 1020, 1080, 'extra'),
          (NULL, \(town.clinic), '2026-11-23', 0, 600, 'off'),
          (\(town.doctor), NULL, '2026-11-24', 0, 1440, 'off'),
          (NULL, \(town.clinic), '2026-11-24', 0, 1440, 'kind of a later release')
        """)
      let days = monday...monday.adding(days: 2)
      let schedule = try #require(
        try DoctorSchedule.find(of: town.doctor, during: days, in: connection))
      return (0..<3).map { schedule.working(on: monday.adding(days: $0)).map(\.length) }
    }
    #expect(
      working == [
        [.hours(3), .hours(4)], [], [.hours(4), .hours(3)],
      ])
    try town.portal.read { connection in
      let schedule = try DoctorSchedule.find(of: ID(99), during: monday...monday, in: connection)
      #expect(schedule == nil)
    }
  }

  private func rome(_ date: String, _ minutes: Range<Int>) throws -> [Range<Instant>] {
    let date = try #require(CalendarDate(date))
    let hours = DoctorSchedule.Hours(weekday: date.weekday, minutes: minutes, kind: .work)
    return DoctorSchedule(
      zone: try #require(Zone("Europe/Rome")), days: date...date, hours: [hours]
    )
    .working(on: date)
  }

  private func length(of spans: [Range<Instant>]) -> Seconds {
    Seconds(spans.reduce(0) { $0 + $1.length.count })
  }

  private func instant(_ text: String, _ zone: String) throws -> Instant {
    let moments = try #require(LocalDateTime(text)).moments(in: try #require(Zone(zone)))
    guard case .one(let instant) = moments else { throw Unclear() }
    return instant
  }

  private struct Unclear: Error {}
}

extension Range<Instant> {
  var length: Seconds { upperBound - lowerBound }
}
