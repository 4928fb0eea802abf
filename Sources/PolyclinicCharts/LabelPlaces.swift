import PolyclinicCore

/// A rectangle in the plot, in pixels.
struct LabelBox {
  let x: ClosedRange<Double>
  let y: ClosedRange<Double>

  func touches(_ other: LabelBox) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }
}

/// The free places of a chart for its labels.
///
/// The server does not know the width of the screen, so it looks for places in the smallest plot of
/// narrow and of wide screens. What is free there is free in every larger plot, because only
/// letters, dots and bars keep their size.
struct LabelPlaces {
  let drawing: ChartDrawing
  let size: Size

  /// The size of a plot in pixels.
  struct Size {
    let width: Double
    let height: Double

    static let narrow = Size(width: 150, height: 207)
    static let wide = Size(width: 475, height: 207)
    /// The plot of a page with one chart on a wide screen.
    static let tall = Size(width: 475, height: 324)
    /// The plot of a printed report, whose letters are smaller, too.
    static let printed = Size(width: 475, height: 82)
  }

  /// Returns the estimated width of a label in small letters.
  static func width(_ label: String) -> Double { Double(label.count) * 7.5 }

  // MARK: The time axis

  /// Returns the labels of the time axis that leave space between each other: all, or every second,
  /// third and so on. `shares` are their places from 0 to 1.
  static func spaced(_ labels: [String], at shares: [Double], in size: Size) -> [Int] {
    let gap = 6.0
    let boxes = zip(labels, shares).map { label, share in
      let (place, width) = (share * size.width, width(label))
      let start =
        switch ChartDrawing.side(at: share) {
        case .right: place
        case .left: place - width
        case .centre: place - width / 2
        }
      return start...(start + width + gap)
    }
    for step in 1...max(1, boxes.count) {
      var kept = Array(stride(from: 0, to: boxes.count, by: step))
      func touch(_ one: Int, _ other: Int) -> Bool { boxes[kept[one]].overlaps(boxes[kept[other]]) }
      // The outermost labels stand further inwards than their ticks, so that they may touch their
      // neighbours.
      if kept.count > 2, touch(kept.count - 2, kept.count - 1) { kept.removeLast() }
      if kept.count > 2, touch(0, 1) { kept.removeFirst() }
      if kept.indices.dropFirst().allSatisfy({ !touch($0 - 1, $0) }) { return kept }
    }
    return Array(boxes.indices.prefix(1))
  }

  // MARK: Named values

  /// The distance from a value to its label on the right, which is beyond the dot and the bar.
  static let markDistance = 10

  /// Returns how far the label of each named value is moved down, so that it touches no average, no
  /// edge of a band and no other label. There are no lines or bars to the right of the latest
  /// value.
  static func shifts(of marks: [Chart.Mark], in drawing: ChartDrawing) -> [Int] {
    let edges = drawing.chart.bands.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
    let lines = (drawing.lineValues + edges).map { ($0, 0, 10.0) }
    var shifts: [Int] = []
    for (number, mark) in marks.enumerated() {
      let depth = drawing.depth(mark.point.value)
      // The unit above the value axis is wide on narrow screens.
      let unit =
        drawing.share(mark.point.at) < 0.5 ? [(drawing.high, ChartDrawing.unitShift, 18.0)] : []
      let ways: [Int] = (0...15).flatMap { step -> [Int] in
        number == 0 ? [-2 * step, 2 * step] : [2 * step, -2 * step]
      }
      // On a low plot, labels that were moved towards each other would meet or change places. Those
      // that are apart there are so on every higher one.
      let apart = ways.filter { way in
        zip(marks, shifts).allSatisfy { other, shift in
          let down = depth - drawing.depth(other.point.value)
          return [(Size.narrow, 18.0), (.printed, 12)].allSatisfy { size, distance in
            let below = down * size.height + Double(way - shift)
            return (down < 0 ? -below : below) >= distance
          }
        }
      }
      // In print the labels of the time axis reach into the plot.
      let lowest = Size.printed.height - 12
      let high = apart.filter { depth * Size.printed.height + Double($0) <= lowest }
      let free = (high + apart).first { way in
        [Size.narrow, .tall].allSatisfy { size in
          let place = depth * size.height + Double(way)
          return (lines + unit).allSatisfy { value, shift, distance in
            abs(drawing.depth(value) * size.height + Double(shift) - place) >= distance
          }
        }
      }
      shifts.append(free ?? high.first ?? apart.first ?? 0)
    }
    return shifts
  }

  // MARK: Names of bands

  /// The place of a band's name: its left end, and the value whose height is the middle of the text
  /// or next to which it stands.
  struct Place: Equatable {
    let share: Double
    let value: Double
    /// The distance of the middle of the text from the value, downwards.
    let shift: Int
  }

  /// Returns a place for the name of each band: inside of it, above or below; nil if all are taken
  /// by bars or lines.
  func places(of bands: [Chart.Band]) -> [Place?] {
    var taken = obstacles
    return bands.enumerated().map { number, band in
      guard let label = band.label else { return nil }
      let width = Self.width(label) + 4
      for (value, shift) in heights(beside: band) {
        let middle = drawing.depth(value) * size.height + Double(shift)
        // A name stands nearer to its own band than to another one.
        let others = bands.enumerated().filter { $0.offset != number }.map {
          box(0...1, $0.element.range, margin: max(2, abs(Double(shift)) - 6))
        }
        for start in stride(from: 2.0, through: size.width - width, by: 4) {
          let place = LabelBox(x: start...(start + width), y: (middle - 8)...(middle + 8))
          guard middle > 8, middle < size.height - 8,
            !taken.contains(where: place.touches), !others.contains(where: place.touches)
          else { continue }
          taken.append(place)
          return Place(share: start / size.width, value: value, shift: shift)
        }
      }
      return nil
    }
  }

  /// Returns the values and distances at which the name of a band may stand, the best first.
  private func heights(beside band: Chart.Band) -> [(value: Double, shift: Int)] {
    let (top, bottom) = (band.range.upperBound, band.range.lowerBound)
    let isHigh = (drawing.depth(bottom) - drawing.depth(top)) * size.height >= 18
    let beside = [11, 15, 19, 23, 27, 31, 35].flatMap { shift -> [(value: Double, shift: Int)] in
      [(top, -shift), (bottom, shift)]
    }
    return (isHigh ? [((top + bottom) / 2, 0)] : []) + beside
  }

  /// The lines, bars, averages and labels of the plot.
  private var obstacles: [LabelBox] {
    let chart = drawing.chart
    let bars = chart.bars.flatMap(\.bars).map { bar in
      let middle = drawing.share(bar.middle)
      // A bar is wider than its place.
      return box(middle...middle, bar.range, margin: 8)
    }
    let lines = chart.lines.flatMap { line in
      chart.runs(line.points).flatMap { run in
        let points = Chart.thinned(run, over: chart.span, buckets: Int(size.width))
        return zip(points, points.dropFirst() + points.suffix(1)).map { one, next in
          box(
            drawing.share(one.at)...max(drawing.share(one.at), drawing.share(next.at)),
            min(one.value, next.value)...max(one.value, next.value), margin: 5)
        }
      }
    }
    let averages = drawing.lineValues.map { box(0...1, $0...$0, margin: 2) }
    let marks = zip(chart.marks, Self.shifts(of: chart.marks, in: drawing)).map { mark, shift in
      let start = drawing.share(mark.point.at) * size.width
      let middle = drawing.depth(mark.point.value) * size.height + Double(shift)
      return LabelBox(
        x: start...(start + Double(Self.markDistance) + Double(mark.label.count) * 10),
        y: (middle - 9)...(middle + 9))
    }
    return bars + lines + averages + marks
  }

  private func box(
    _ shares: ClosedRange<Double>, _ values: ClosedRange<Double>, margin: Double
  ) -> LabelBox {
    let top = drawing.depth(values.upperBound) * size.height
    let bottom = drawing.depth(values.lowerBound) * size.height
    return LabelBox(
      x: (shares.lowerBound * size.width - margin)...(shares.upperBound * size.width + margin),
      y: (top - margin)...(bottom + margin))
  }
}
