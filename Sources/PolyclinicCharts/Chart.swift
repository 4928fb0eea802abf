import PolyclinicCore

/// A chart of values over time, drawn by the server as SVG: lines or range bars, axes, target bands
/// and averages, with gaps where nothing was measured.
///
/// The chart fills the width of its container, and its text has the font size of the page. Colours
/// come from the classes in `www/styles/style.css`, for light mode, dark mode and print. Time runs from
/// left to right in every language.
///
/// ``summary`` is the text alternative for screen readers. The page provides the numbers in a table
/// beside the chart.
public struct Chart: Sendable {
  /// One measured value.
  public struct Point: Sendable, Hashable {
    /// The time of the measurement.
    public let at: Instant
    /// The measured value.
    public let value: Double

    /// Creates a point with a value and its time.
    public init(at: Instant, value: Double) {
      self.at = at
      self.value = value
    }
  }

  /// A series of values of one kind.
  public struct Line: Sendable {
    /// The name in the legend.
    public let name: String
    /// The points in chronological order.
    public let points: [Point]
    /// True if the points are averages of what bars or dots show, so that they have no dots.
    public let areAverages: Bool

    /// Creates a line through `points`, which are in chronological order.
    public init(_ name: String, _ points: [Point], areAverages: Bool = false) {
      self.name = name
      self.points = points
      self.areAverages = areAverages
    }
  }

  /// The values of one kind as bars, each from the lowest to the highest value of a period.
  public struct Bars: Sendable {
    /// The name in the legend.
    public let name: String
    /// True if the ends of each bar are dots, as those of few readings.
    public let haveDots: Bool
    /// The bars in chronological order.
    public let bars: [Bar]
    /// The value from which on a bar is drawn as high, and at which a line crosses the chart; nil for
    /// none.
    public let limit: Int?

    /// Creates bars in chronological order.
    public init(_ name: String, _ bars: [Bar], haveDots: Bool = false, limit: Int? = nil) {
      self.name = name
      self.bars = bars
      self.haveDots = haveDots
      self.limit = limit
    }
  }

  /// The values of one period: a thin bar in the middle of the period.
  public struct Bar: Sendable {
    /// The period.
    public let span: Range<Instant>
    /// The lowest and the highest value.
    public let range: ClosedRange<Double>

    /// Creates the bar of a period.
    public init(_ span: Range<Instant>, _ range: ClosedRange<Double>) {
      self.span = span
      self.range = range
    }

    /// The middle of the period.
    var middle: Instant { span.lowerBound + Seconds((span.upperBound - span.lowerBound).count / 2) }

    /// True if both bars stand at the same place and would be drawn over each other.
    func overlaps(_ other: Bar) -> Bool { span == other.span && range.overlaps(other.range) }
  }

  /// The latest value of a line or of bars, which is named on the chart. Its label stands to its
  /// right, where no line or bar is.
  public struct Mark: Sendable {
    /// The place of the value.
    public let point: Point
    /// The value in words, such as “128”.
    public let label: String

    /// Creates a label beside a point.
    public init(_ point: Point, _ label: String) {
      self.point = point
      self.label = label
    }
  }

  /// An average, drawn as a thin line across the chart.
  public struct Level: Sendable {
    /// The average.
    public let value: Double
    /// The name in the legend; nil if another level has this entry.
    public let name: String?

    /// Creates a line at a value.
    public init(_ value: Double, _ name: String?) {
      self.value = value
      self.name = name
    }
  }

  /// The sentence that the readout shows for a stretch of time.
  public struct Reading: Sendable {
    /// The stretch of time.
    public let span: Range<Instant>
    /// The time and its values in words, such as “9 Nov: 128/84 mmHg”.
    public let text: String

    /// Creates the sentence of a stretch of time.
    public init(_ span: Range<Instant>, _ text: String) {
      self.span = span
      self.text = text
    }
  }

  /// A target range of values; a range of a single value is drawn as a line.
  public struct Band: Sendable {
    /// The target range, from the lowest value to the highest.
    public let range: ClosedRange<Double>
    /// The name in the legend; nil for no entry.
    public let name: String?
    /// The short name on the chart; nil for none.
    public let label: String?
    /// The part of the band that the chart shows.
    public let presence: Presence

    /// The part of a band that the chart shows.
    public enum Presence: Sendable {
      /// The whole band, at any distance from the lines; the value axis grows to include it.
      case whole
      /// The part between the lowest and the highest value of the lines, so that the band takes no
      /// space from them.
      case besideLines
    }

    /// Creates a band across the full width of the chart.
    public init(
      _ range: ClosedRange<Double>, _ name: String?, label: String? = nil,
      presence: Presence = .whole
    ) {
      self.range = range
      self.name = name
      self.label = label
      self.presence = presence
    }

    /// Returns the part of the band between `low` and `high`; nil if they do not overlap.
    func within(_ low: Double, _ high: Double) -> Band? {
      guard range.upperBound >= low, range.lowerBound <= high else { return nil }
      let seen = max(range.lowerBound, low)...min(range.upperBound, high)
      return Band(seen, name, label: label, presence: presence)
    }
  }

  /// The kind of data whose colour the chart has; nil for that of the page.
  public var kind: Icon.Kind?
  /// A short title.
  public let title: String
  /// The figure that the chart explains, which stands above it; nil for none.
  public var heading: HTML?
  /// A description of the chart in one or two sentences, for screen readers.
  public let summary: String
  /// At most two lines; the second is drawn dashed.
  public var lines: [Line]
  /// At most two kinds of values as range bars.
  public var bars: [Bars] = []
  /// The averages across the whole chart.
  public var levels: [Level] = []
  /// The latest values, which are named on the chart.
  public var marks: [Mark] = []
  /// The sentence about the whole chart that the readout shows first; nil for a chart without a
  /// readout.
  public var overall: String?
  /// The sentences of the readout in chronological order. A script shows them at a touch, a mouse
  /// pointer or an arrow key.
  public var readings: [Reading] = []
  /// The unit of the values, written above the value axis.
  public var unit = ""
  /// The legend's entry for the limits of the bars; nil for none.
  public var limit: String?
  /// A sentence below the legend that explains the drawing.
  public var note: String?
  /// At most two bands, drawn behind the lines. If both have a name, the second is hatched.
  ///
  /// The value axis covers the lines, the limits, and the bands with presence
  /// ``Band/Presence/whole``. It begins at the round number below the lowest value and ends at the
  /// round number above the highest.
  public let bands: [Band]
  /// The time span of the chart, from its left edge to its right edge.
  public let span: Range<Instant>
  /// The longest time between two measurements that are joined by a line.
  public let gap: Seconds

  /// Creates a chart; see its properties.
  public init(
    title: String, summary: String, lines: [Line], bands: [Band] = [],
    span: Range<Instant>, gap: Seconds
  ) {
    self.title = title
    self.summary = summary
    self.lines = lines
    self.bands = bands
    self.span = span
    self.gap = gap
  }

  /// Returns the points of a line, split at each pause longer than ``gap``.
  func runs(_ points: [Point]) -> [ArraySlice<Point>] {
    var runs: [ArraySlice<Point>] = []
    var start = 0
    for index in points.indices.dropFirst() where points[index].at - points[index - 1].at > gap {
      runs.append(points[start..<index])
      start = index
    }
    if start < points.count { runs.append(points[start...]) }
    return runs
  }

  /// The range from the lowest to the highest value of the lines and whole bands; nil without any
  /// points.
  var values: ClosedRange<Double>? {
    var range: ClosedRange<Double>?
    func include(_ value: Double) {
      let known = range ?? value...value
      range = min(known.lowerBound, value)...max(known.upperBound, value)
    }
    for line in lines { for point in line.points { include(point.value) } }
    for bar in bars.lazy.flatMap(\.bars) {
      include(bar.range.lowerBound)
      include(bar.range.upperBound)
    }
    guard range != nil else { return nil }
    for limit in bars.compactMap(\.limit) { include(Double(limit)) }
    for band in bands where band.presence == .whole {
      include(band.range.lowerBound)
      include(band.range.upperBound)
    }
    return range
  }
}
