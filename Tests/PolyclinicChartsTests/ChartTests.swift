import PolyclinicCore
import Testing

@testable import PolyclinicCharts

@Suite struct ChartTests {
  private static func point(_ hour: Int, _ value: Double) -> Chart.Point {
    Chart.Point(at: Instant(0) + .hours(hour), value: value)
  }

  @Test(arguments: [
    (60.0, 160.0, [60.0, 80, 100, 120, 140, 160], 0), (71.8, 73.1, [71.5, 72, 72.5, 73, 73.5], 1),
    (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1], 1), (-3, 4, [-4, -2, 0, 2, 4], 0),
    (80, 80, [80, 82], 0),
  ])
  func `axis ticks are round numbers and cover the values`(
    _ low: Double, _ high: Double, _ values: [Double], _ digits: Int
  ) {
    let ticks = NumberTicks(covering: low...high, about: 5)
    #expect(ticks.fractionDigits == digits)
    #expect(ticks.values.count == values.count)
    for (tick, value) in zip(ticks.values, values) { #expect(abs(tick - value) < 1e-9) }
  }

  @Test func `days, months and years begin by the clocks of the time zone`() throws {
    let zone = try #require(Zone("Europe/Minsk"))
    func moment(_ text: String) throws -> Instant { try #require(ZonedTime(text)).instant }
    let week = try moment("2026-05-04T00:00+03:00")..<moment("2026-05-11T00:00+03:00")
    let days = TimeTicks(covering: week, in: zone, atMost: 7)
    #expect(days.step == .days(1) && days.moments.count == 7)
    #expect(days.moments.first == week.lowerBound)
    let month = try moment("2026-05-01T00:00+03:00")..<moment("2026-05-31T00:00+03:00")
    let weeks = TimeTicks(covering: month, in: zone, atMost: 6)
    #expect(weeks.step == .days(7))
    let formats = Formats(language: .english, timeZone: zone)
    #expect(weeks.moments.map { weeks.label($0, formats) }.first == "4 May")
    let decades = try moment("2006-05-01T00:00+03:00")..<moment("2026-05-31T00:00+03:00")
    let years = TimeTicks(covering: decades, in: zone, atMost: 6)
    #expect(years.step == .years(5))
    #expect(years.moments.map { years.label($0, formats) } == ["2010", "2015", "2020", "2025"])
  }

  @Test(arguments: Array(1...8))
  func `no two labels of the time axis are the same`(_ days: Int) throws {
    let zone = try #require(Zone("Europe/Minsk"))
    let start = try #require(ZonedTime("2026-11-24T00:00+03:00")).instant
    let ticks = TimeTicks(covering: start..<start + .days(days), in: zone, atMost: 8)
    let labels = ticks.moments.map { ticks.label($0, Formats(language: .english, timeZone: zone)) }
    #expect(labels.first == "24 Nov" && Set(labels).count == labels.count && labels.count <= 8)
  }

  @Test func `the ends of a bar are at its values`() throws {
    var chart = Self.empty
    let day = Instant(0)..<Instant(0) + .days(1)
    chart.bars = [
      Chart.Bars("", [Chart.Bar(day, 100...151), Chart.Bar(day, 110...110)])
    ]
    let drawing = Self.drawing(chart)
    let markup = String(decoding: drawing.bars(chart.bars[0], 0).bytes, as: UTF8.self)
    #expect(markup.contains("y1=\"\(drawing.y(151))\" y2=\"\(drawing.y(100))\""))
    #expect(markup.contains("y1=\"\(drawing.y(110))\"") && !markup.contains("<circle"))
  }

  @Test func `only the part of a bar above its limit is high`() {
    var chart = Self.empty
    let day = Instant(0)..<Instant(0) + .days(1)
    chart.bars = [Chart.Bars("", [Chart.Bar(day, 100...151)], limit: 135)]
    let drawing = Self.drawing(chart)
    let markup = String(decoding: drawing.bars(chart.bars[0], 0).bytes, as: UTF8.self)
    #expect(markup.contains("y1=\"\(drawing.y(135))\" y2=\"\(drawing.y(100))\""))
    #expect(markup.contains("y1=\"\(drawing.y(151))\" y2=\"\(drawing.y(135))\""))
    #expect(markup.contains("cy=\"\(drawing.y(151))\""))
    #expect(markup.split(separator: "high\"").count == 3)
  }

  @Test func `a second bar that would hide the first one stands beside it`() {
    var chart = Self.empty
    func bars(_ name: String, _ ranges: [ClosedRange<Double>]) -> Chart.Bars {
      Chart.Bars(
        name,
        ranges.enumerated().map { day, range in
          Chart.Bar(Instant(0) + .days(day)..<Instant(0) + .days(day + 1), range)
        }, haveDots: true)
    }
    chart.bars = [bars("upper", [119...192, 118...126]), bars("lower", [74...124, 74...84])]
    let drawing = Self.drawing(chart)
    let markup = chart.bars.enumerated().map {
      String(decoding: drawing.bars($0.element, $0.offset).bytes, as: UTF8.self)
    }
    #expect(!markup[0].contains("beside"))
    #expect(markup[1].split(separator: "beside").count == 2)
    #expect(markup[1].hasPrefix("<g class=\"beside\">"))
  }

  @Test func `a line of averages has no dots but for a lonely point`() {
    let points = [0, 1, 2, 60].map { Self.point($0, 100) }
    func dots(areAverages: Bool) -> Int {
      var chart = Self.empty
      chart.lines = [Chart.Line("", points, areAverages: areAverages)]
      let line = Self.drawing(chart).line(chart.lines[0], 0)
      let markup = String(decoding: line.bytes, as: UTF8.self)
      return markup.split(separator: "<circle").count - 1
    }
    #expect(dots(areAverages: true) == 1 && dots(areAverages: false) == 4)
  }

  @Test func `thinning keeps the extremes and both ends of the line`() {
    let points = (0..<10_000).map { Self.point($0, Double($0 % 97)) }
    var spiked = points
    spiked[4_321] = Self.point(4_321, 1_000)
    spiked[7_654] = Self.point(7_654, -1_000)
    let span = points[0].at..<points[9_999].at + .hours(1)
    let thinned = Chart.thinned(spiked[...], over: span, buckets: 100)
    #expect(thinned.count <= 400 && thinned.count >= 200)
    #expect(thinned.map(\.value).max() == 1_000 && thinned.map(\.value).min() == -1_000)
    #expect(thinned.first == spiked.first && thinned.last == spiked.last)
    #expect(thinned.map(\.at) == thinned.map(\.at).sorted())
    #expect(Chart.thinned(points[..<400], over: span, buckets: 100).count == 400)
  }

  @Test func `the axis covers range bars`() {
    var chart = Chart(
      title: "", summary: "", lines: [], span: Instant(0)..<Instant(0) + .days(5), gap: .hours(10))
    chart.bars = [
      Chart.Bars("", [Chart.Bar(Instant(0)..<Instant(0) + .days(1), 70...140)])
    ]
    #expect(chart.values == 70...140)
  }

  @Test func `a sparkline needs two points and survives equal values`() {
    let span = Instant(0)..<Instant(0) + .hours(10)
    #expect(Chart.sparkline([[Self.point(1, 5)]], over: span, label: "", caption: "") == nil)
    #expect(Chart.sparkline([], over: span, label: "", caption: "") == nil)
    let points = [[Self.point(0, 5), Self.point(10, 5)]]
    let flat = Chart.sparkline(points, over: span, label: "flat", caption: "")
    #expect(flat != nil)
  }

  @Test func `a sparkline has lines at the limits with their words, and ends in a dot`() throws {
    let span = Instant(0)..<Instant(0) + .hours(10)
    let points = [[Self.point(0, 120), Self.point(10, 110)]]
    let chart = Chart.sparkline(
      points, over: span, label: "", caption: "", limits: [(130, "130 mmHg")])
    let text = try String(decoding: #require(chart).bytes, as: UTF8.self)
    #expect(text.contains("<line x1=\"0\" x2=\"88%\" y1=\"0%\" y2=\"0%\"/>"))
    #expect(text.contains("points=\"0,50 600,100\""))
    #expect(text.contains("cx=\"88%\" cy=\"100%\"") && text.contains(">130 mmHg</text>"))
  }

  @Test func `a line is broken at gaps without measurements`() {
    let points = [0, 1, 2, 50, 51, 99].map { Self.point($0, 1) }
    let chart = Chart(
      title: "", summary: "", lines: [], span: Instant(0)..<Instant(0) + .days(5),
      gap: .hours(10))
    #expect(chart.runs(points).map(\.count) == [3, 2, 1])
    #expect(chart.runs([]).isEmpty)
  }

  /// A drawing of five days with an axis from 60 to 200.
  private static func drawing(_ chart: Chart, isRightToLeft: Bool = false) -> ChartDrawing {
    ChartDrawing(chart: chart, low: 60, high: 200, id: "sample", isRightToLeft: isRightToLeft)
  }

  private static var empty: Chart {
    Chart(
      title: "", summary: "", lines: [], span: Instant(0)..<Instant(0) + .days(5), gap: .hours(10))
  }

  @Test(arguments: [LabelPlaces.Size.narrow, .wide])
  func `labels of the time axis leave space between each other`(_ size: LabelPlaces.Size) {
    let labels = ["26 באוק׳", "2 בנוב׳", "9 בנוב׳", "16 בנוב׳", "23 בנוב׳"]
    let shares = [0.05, 0.28, 0.51, 0.74, 0.97]
    let kept = LabelPlaces.spaced(labels, at: shares, in: size)
    #expect(kept.count >= 2)
    let ends = kept.map { index in
      let (width, place) = (LabelPlaces.width(labels[index]), shares[index] * size.width)
      return shares[index] > 0.94 ? place - width : place - width / 2
    }
    for (index, start) in zip(kept, ends).dropFirst() {
      let before = ends[kept.firstIndex(of: index)! - 1]
      #expect(start - before >= LabelPlaces.width(labels[index - 1]))
    }
    #expect(LabelPlaces.spaced([], at: [], in: size).isEmpty)
  }

  @Test func `the labels of near values touch neither each other nor an average`() {
    var chart = Self.empty
    chart.marks = [130.0, 126].map { Chart.Mark(Self.point(90, $0), String(Int($0))) }
    chart.levels = [Chart.Level(131, nil), Chart.Level(120, nil)]
    let drawing = Self.drawing(chart)
    let shifts = LabelPlaces.shifts(of: chart.marks, in: drawing)
    let height = LabelPlaces.Size.narrow.height
    let middles = zip(chart.marks, shifts).map {
      drawing.depth($0.point.value) * height + Double($1)
    }
    #expect(middles[1] - middles[0] >= 18)
    for level in chart.levels {
      for middle in middles { #expect(abs(drawing.depth(level.value) * height - middle) >= 10) }
    }
  }

  @Test(arguments: 70...110)
  func `the labels of two values touch each other neither on a screen nor in print`(_ low: Int) {
    var chart = Chart(
      title: "", summary: "", lines: [],
      bands: [Chart.Band(120...129, nil), Chart.Band(70...79, nil)],
      span: Instant(0)..<Instant(0) + .days(5), gap: .hours(10))
    chart.marks = [122.0, Double(low)].map { Chart.Mark(Self.point(90, $0), String(Int($0))) }
    chart.levels = [Chart.Level(134, nil), Chart.Level(87, nil)]
    let drawing = Self.drawing(chart)
    let shifts = LabelPlaces.shifts(of: chart.marks, in: drawing)
    for (size, distance) in [(LabelPlaces.Size.narrow, 18.0), (.printed, 12)] {
      let middles = zip(chart.marks, shifts).map {
        drawing.depth($0.point.value) * size.height + Double($1)
      }
      #expect(abs(middles[1] - middles[0]) >= distance)
    }
  }

  @Test func `the name of a band stands beside the bars, or is left out`() {
    let bands = [Chart.Band(120...129, nil, label: "Systolic")]
    func places(_ days: [Int]) -> [LabelPlaces.Place?] {
      var chart = Self.empty
      chart.bars = [
        Chart.Bars(
          "",
          days.map {
            Chart.Bar(Instant(0) + .hours($0)..<Instant(0) + .hours($0 + 2), 70...190)
          })
      ]
      return LabelPlaces(drawing: Self.drawing(chart), size: .narrow).places(of: bands)
    }
    let free = places([0, 2, 4])[0]
    #expect((free?.share ?? 0) > 0.05)
    #expect(places(Array(stride(from: 0, to: 120, by: 2))) == [nil])
  }

  @Test func `labels stand at the same side of their points in text from right to left`() {
    func row(isRightToLeft: Bool) -> String {
      let drawing = Self.drawing(Self.empty, isRightToLeft: isRightToLeft)
      return String(decoding: drawing.row(100, "100").bytes, as: UTF8.self)
    }
    #expect(row(isRightToLeft: false).contains("text-anchor=\"end\""))
    #expect(row(isRightToLeft: true).contains("text-anchor=\"start\""))
  }
}
