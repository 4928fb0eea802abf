import PolyclinicCore
import Testing

@testable import Appointments

@Suite struct WeeklyHoursTests {
  private func groups(
    _ hours: [(Weekday, [Range<Int>])], in language: Language = .english
  ) -> [String] {
    var days: [Weekday: Spans<Int>] = [:]
    for (day, ranges) in hours {
      for range in ranges { days[day, default: Spans()].insert(range) }
    }
    return WeeklyHours(days).groups(in: language).map {
      "\($0.first)-\($0.last) \($0.spans.map { "\($0.lowerBound)-\($0.upperBound)" })"
    }
  }

  private let early = 480..<720

  @Test func `consecutive days with the same hours form one group`() {
    let work = [early, 780..<1_080]
    let hours = [(Weekday.monday, work), (.tuesday, work), (.wednesday, [early]), (.friday, work)]
    #expect(
      groups(hours) == [
        "monday-tuesday [\"480-720\", \"780-1080\"]", "wednesday-wednesday [\"480-720\"]",
        "friday-friday [\"480-720\", \"780-1080\"]",
      ])
  }

  @Test func `a day without hours separates the groups before and after it`() {
    let hours = [(Weekday.monday, [early]), (.tuesday, []), (.wednesday, [early])]
    #expect(
      groups(hours) == ["monday-monday [\"480-720\"]", "wednesday-wednesday [\"480-720\"]"])
  }

  @Test func `the week begins on Sunday in Hebrew and on Monday in Russian`() {
    let hours = [(Weekday.sunday, [early]), (.monday, [early]), (.tuesday, [early])]
    #expect(groups(hours, in: .hebrew) == ["sunday-tuesday [\"480-720\"]"])
    #expect(
      groups(hours, in: .russian) == [
        "monday-tuesday [\"480-720\"]", "sunday-sunday [\"480-720\"]",
      ])
  }

  @Test func `equal hours on all days form one group, and no hours form none`() {
    #expect(groups(Weekday.allCases.map { ($0, [early]) }) == ["monday-sunday [\"480-720\"]"])
    #expect(WeeklyHours([:]).isEmpty && WeeklyHours(WorkingHours()).isEmpty)
  }

  @Test func `a break over all working hours of a day leaves no hours`() {
    var hours = WorkingHours()
    hours.work = [
      .init(starts: TimeOfDay(hour: 9, minute: 0), ends: TimeOfDay(hour: 10, minute: 0))
    ]
    hours.breaks = hours.work
    #expect(WeeklyHours(hours).isEmpty)
  }
}
