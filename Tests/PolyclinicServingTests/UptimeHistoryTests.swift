import PolyclinicCore
import Testing

@testable import PolyclinicServing

@Suite struct UptimeHistoryTests {
  private let start = Instant(1_700_000_000)

  /// Returns the availability of a portal that ran in these spans of hours since the start.
  private func history(_ hours: (from: Int, to: Int)...) -> UptimeHistory {
    var history = UptimeHistory(since: start)
    for span in hours {
      history.begin(at: start + .hours(span.from))
      history.extend(to: start + .hours(span.to))
    }
    return history
  }

  @Test func `time before the first start does not count`() {
    #expect(history((0, 10)).share(at: start + .hours(10)) == 1)
    #expect(UptimeHistory(since: start).share(at: start) == nil)
  }

  @Test func `time after a span without another one counts as an outage`() {
    #expect(history((0, 6), (8, 10)).share(at: start + .hours(10)) == 0.8)
    #expect(history((0, 6)).share(at: start + .hours(12)) == 0.5)
  }

  @Test func `only the last 30 days count, to the second`() {
    let month = 30 * 24
    let long = history((0, 12), (24, month + 12))
    #expect(long.share(at: start + .hours(month + 12)) == 1 - 12 / Double(month))
    #expect(history((0, 12)).share(at: start + .hours(2 * month)) == 0)
  }

  @Test func `the last span counts as running for 20 seconds after its end`() {
    let running = history((0, 1))
    #expect(running.share(at: start + .hours(1) + .seconds(20)) == 1)
    #expect(running.share(at: start + .hours(1) + .seconds(40)) == 3_600 / 3_640.0)
  }

  @Test func `the first start is kept after an outage of more than 30 days`() {
    var history = history((0, 1))
    history.begin(at: start + .days(40))
    history.extend(to: start + .days(41))
    #expect(history.since == start)
    #expect(history.share(at: start + .days(41)) == 1 / 30.0)
  }

  @Test func `a clock set back leaves no span in the future and no share above one`() {
    var history = history((0, 10))
    history.begin(at: start + .hours(3))
    history.extend(to: start + .hours(4))
    #expect(history.spans.allSatisfy { $0.end <= start + .hours(4) })
    #expect(history.share(at: start + .hours(4)) == 1)
    #expect(history.share(at: start - .hours(100)) == nil)
  }

  @Test func `spans older than 30 days or beyond the limit are dropped`() {
    var history = UptimeHistory(since: start)
    for day in 0..<100 {
      history.begin(at: start + .days(day))
      history.extend(to: start + .days(day) + .hours(1))
    }
    // The count includes the span that began exactly 30 days before the last one.
    #expect(history.spans.count == 31)
    for second in 0..<5_000 { history.begin(at: start + .days(100) + .seconds(second)) }
    #expect(history.spans.count == UptimeHistory.spanLimit)
  }

  @Test func `a written availability reads back as the same value`() throws {
    for one in [UptimeHistory(since: start), history((0, 1)), history((0, 1), (3, 9))] {
      #expect(try UptimeHistory(reading: one.text) == one)
      #expect(one.text.utf8.count == one.byteCount)
    }
  }

  @Test func `a line truncated by a power cut is ignored`() throws {
    let whole = history((0, 1), (3, 9))
    let kept = history((0, 1))
    for count in 1...25 {
      #expect(try UptimeHistory(reading: String(whole.text.dropLast(count))) == kept)
    }
    let zeros = kept.text + String(repeating: "\0", count: 25) + "\n"
    #expect(try UptimeHistory(reading: zeros) == kept)
  }

  @Test(arguments: [
    "", "\n", "something else\n", "polyclinic availability 2 001700000000\n",
    "polyclinic availability 1 x\n",
    "polyclinic availability 1 001700000000\n001700000009 001700000001\n001700000010 001700000011\n",
    "polyclinic availability 1 001700000000\n001700000000 001700000005\n001700000001 001700000006\n"
      + "001700000010 001700000011\n",
    "polyclinic availability 1 001700000000\nx\n001700000010 001700000011\n",
  ])
  func `reading a malformed file throws an error`(text: String) {
    #expect(throws: UptimeHistory.Unreadable.self) { try UptimeHistory(reading: text) }
  }
}
