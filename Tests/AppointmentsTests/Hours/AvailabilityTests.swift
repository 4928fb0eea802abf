import PolyclinicCore
import PolyclinicTesting
import Testing

@testable import Appointments

@Suite struct AvailabilityTests {
  private let monday = CalendarDate(daysSince1970: 20_577)  // 2026-05-04

  private func availability(
    _ minutes: Range<Int>..., length: Int = 20, now: Instant = Instant(0), taken: [Int64] = []
  ) -> Availability {
    let hours = minutes.map { DoctorSchedule.Hours(weekday: 1, minutes: $0, kind: .work) }
    let schedule = DoctorSchedule(zone: .utc, days: monday...monday, hours: hours)
    return Availability(
      schedule: schedule, length: .minutes(length), now: now, claimed: ClaimedTime(units: taken))
  }

  private func times(_ availability: Availability) -> [String] {
    availability.free(on: monday).map { String($0.local.description.suffix(5)) }
  }

  @Test func `slots follow one another through each block of working hours`() {
    #expect(
      times(availability(540..<605, 630..<670)) == ["09:00", "09:20", "09:40", "10:30", "10:50"])
    #expect(times(availability(540..<555)).isEmpty)
    #expect(times(availability(542..<590)) == ["09:05", "09:25"])
  }

  @Test func `past slots and slots that are taken in part or whole are not offered`() throws {
    let midnight = Int64(monday.daysSince1970) * 86_400
    let taken = [midnight + 9 * 3_600 + 15 * 60, midnight + 10 * 3_600].map { $0 / 300 }
    #expect(times(availability(540..<640, taken: taken)) == ["09:20", "09:40", "10:20"])
    let now = Instant(midnight + 9 * 3_600 + 20 * 60)
    #expect(times(availability(540..<640, now: now)) == ["09:40", "10:00", "10:20"])
  }

  @Test func `the nearest free slots are returned in order of time`() {
    let moment = Instant(Int64(monday.daysSince1970) * 86_400 + 10 * 3_600)
    let nearest = availability(540..<720).nearest(to: moment, count: 3) { _ in true }
    #expect(
      nearest.map { String($0.local.description.suffix(5)) } == ["09:40", "10:00", "10:20"])
  }

  @Test(arguments: [5, 10, 20, 25, 45, 60, 300, 420])
  func `the count of free slots equals the number of offered slots`(_ length: Int) {
    let midnight = Int64(monday.daysSince1970) * 86_400
    var chance = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let taken = (0..<Int.random(in: 0...80, using: &chance)).map { _ in
        midnight / 300 + Int64.random(in: -20..<320, using: &chance)
      }
      let start = Int.random(in: 0..<700, using: &chance)
      let end = Int.random(in: start...1_440, using: &chance)
      let now = Instant(midnight + Int64.random(in: -7_200..<86_400, using: &chance))
      let some = availability(start..<end, length: length, now: now, taken: taken)
      #expect(
        some.freeCount(on: monday) == some.free(on: monday).count,
        "\(start)..<\(end), \(now.seconds - midnight), \(taken.map { $0 - midnight / 300 })")
    }
  }
}
