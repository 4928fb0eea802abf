import PolyclinicCore
import Testing

@testable import PolyclinicServer

@Suite struct AvailabilityTests {
  private let start = Instant(1_700_000_000)

  /// There for each of these spans of hours since the start.
  private func availability(_ hours: (from: Int, to: Int)...) -> Availability {
    var availability = Availability(since: start)
    for span in hours {
      availability.begin(at: start + .hours(span.from))
      availability.extend(to: start + .hours(span.to))
    }
    return availability
  }

  @Test func `time before the first start does not count`() {
    #expect(availability((0, 10)).share(at: start + .hours(10)) == 1)
    #expect(Availability(since: start).share(at: start) == nil)
  }

  @Test func `what lies between two spans was an outage`() {
    #expect(availability((0, 6), (8, 10)).share(at: start + .hours(10)) == 0.8)
    #expect(availability((0, 6)).share(at: start + .hours(12)) == 0.5)
  }

  @Test func `only the last 30 days count, to the second`() {
    let month = 30 * 24
    let long = availability((0, 12), (24, month + 12))
    #expect(long.share(at: start + .hours(month + 12)) == 1 - 12 / Double(month))
    #expect(availability((0, 12)).share(at: start + .hours(2 * month)) == 0)
  }

  @Test func `what was written down a moment ago holds until the next time`() {
    let running = availability((0, 1))
    #expect(running.share(at: start + .hours(1) + .seconds(20)) == 1)
    #expect(running.share(at: start + .hours(1) + .seconds(40)) == 3_600 / 3_640.0)
  }

  @Test func `a portal that was down when the 30 days began still has a first start`() {
    var availability = availability((0, 1))
    availability.begin(at: start + .days(40))
    availability.extend(to: start + .days(41))
    #expect(availability.since == start)
    #expect(availability.share(at: start + .days(41)) == 1 / 30.0)
  }

  @Test
  func `after a clock that was set back, nothing lies in the future and no share is above one`() {
    var availability = availability((0, 10))
    availability.begin(at: start + .hours(3))
    availability.extend(to: start + .hours(4))
    #expect(availability.spans.allSatisfy { $0.end <= start + .hours(4) })
    #expect(availability.share(at: start + .hours(4)) == 1)
    #expect(availability.share(at: start - .hours(100)) == nil)
  }

  @Test func `days that are over and spans beyond the limit are dropped`() {
    var availability = Availability(since: start)
    for day in 0..<100 {
      availability.begin(at: start + .days(day))
      availability.extend(to: start + .days(day) + .hours(1))
    }
    // Of the last one that was, an hour is left.
    #expect(availability.spans.count == 31)
    for second in 0..<5_000 { availability.begin(at: start + .days(100) + .seconds(second)) }
    #expect(availability.spans.count == Availability.spanLimit)
  }

  @Test func `what is written is what is read`() throws {
    for one in [Availability(since: start), availability((0, 1)), availability((0, 1), (3, 9))] {
      #expect(try Availability(reading: one.text) == one)
      #expect(one.text.utf8.count == one.byteCount)
    }
  }

  @Test func `a line that a power cut left unfinished is left out`() throws {
    let whole = availability((0, 1), (3, 9))
    let kept = availability((0, 1))
    for count in 1...23 {
      #expect(try Availability(reading: String(whole.text.dropLast(count))) == kept)
    }
    let zeros = kept.text + String(repeating: "\0", count: 23) + "\n"
    #expect(try Availability(reading: zeros) == kept)
  }

  @Test(arguments: [
    "", "\n", "something else\n", "polyclinic availability 2 01700000000\n",
    "polyclinic availability 1 x\n",
    "polyclinic availability 1 01700000000\n01700000009 01700000001\n01700000010 01700000011\n",
    "polyclinic availability 1 01700000000\n01700000000 01700000005\n01700000001 01700000006\n"
      + "01700000010 01700000011\n",
    "polyclinic availability 1 01700000000\nx\n01700000010 01700000011\n",
  ])
  func `anything else is unreadable`(text: String) {
    #expect(throws: Availability.Unreadable.self) { try Availability(reading: text) }
  }
}
