import Testing

@testable import Appointments

@Suite struct SpansTests {
  @Test func `overlapping or adjacent spans are merged into one`() {
    var spans = Spans<Int>()
    for range in [10..<20, 30..<40, 20..<25, 50..<50, 5..<8] { spans.insert(range) }
    #expect(spans.ranges == [5..<8, 10..<25, 30..<40])
    spans.insert(8..<31)
    #expect(spans.ranges == [5..<40])
  }

  @Test func `removing a range shortens, splits or removes the spans that it overlaps`() {
    var spans = Spans<Int>()
    for range in [0..<10, 20..<30] { spans.insert(range) }
    spans.remove(4..<6)
    spans.remove(9..<21)
    spans.remove(25..<25)
    spans.remove(90..<99)
    #expect(spans.ranges == [0..<4, 6..<9, 21..<30])
    spans.remove(0..<100)
    #expect(spans.ranges.isEmpty)
  }
}
