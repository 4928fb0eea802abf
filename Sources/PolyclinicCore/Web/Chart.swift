/// Values over time as lines, drawn by the server: axes, a band to aim at, and gaps where nothing was
/// measured.
///
/// It is as wide as its place on the page, keeps its letters at the size of the page's, and has no colour
/// of its own: `www/style.css` knows its classes, for light, dark and paper. Time runs from left to right
/// in every language. ``summary`` describes it for those who cannot see it; the numbers stand in a
/// table beside it, which the page brings.
public struct Chart: Sendable {
  /// One value.
  public struct Point: Sendable, Hashable {
    /// When it was.
    public let at: Instant
    /// How much it was.
    public let value: Double

    /// A value at a moment.
    public init(at: Instant, value: Double) {
      self.at = at
      self.value = value
    }
  }

  /// The values of one kind.
  public struct Line: Sendable {
    /// What the legend calls it.
    public let name: String
    /// In the order of time.
    public let points: [Point]

    /// A line through points in the order of time.
    public init(_ name: String, _ points: [Point]) {
      self.name = name
      self.points = points
    }
  }

  /// Values to aim at; a single one is drawn as a line.
  public struct Band: Sendable {
    /// From the lowest to the highest.
    public let range: ClosedRange<Double>
    /// What the legend calls it; nothing where another band is called so already.
    public let name: String?
    /// How much of it is seen.
    public let presence: Presence

    /// How much of a band is seen.
    public enum Presence: Sendable {
      /// All of it, however far from the lines it lies.
      case whole
      /// What of it lies between the lines' lowest and highest values: it takes no room from them.
      case besideLines
    }

    /// A band across the whole chart.
    public init(
      _ range: ClosedRange<Double>, _ name: String?, presence: Presence = .whole
    ) {
      self.range = range
      self.name = name
      self.presence = presence
    }

    /// What of it lies within the bounds of the drawing; nil for nothing.
    func within(_ low: Double, _ high: Double) -> Band? {
      guard range.upperBound >= low, range.lowerBound <= high else { return nil }
      let seen = max(range.lowerBound, low)...min(range.upperBound, high)
      return Band(seen, name, presence: presence)
    }
  }

  /// What it shows, in a few words.
  public let title: String
  /// What one sees in it, in a sentence or two.
  public let summary: String
  /// At most two, of which the second is drawn dashed.
  public let lines: [Line]
  /// Drawn behind the lines. The axis goes from the round number below the lowest value of the lines, and of
  /// bands that are seen whole, to the round number above the highest.
  public let bands: [Band]
  /// From the left edge to the right one.
  public let span: Range<Instant>
  /// How long nothing may have been measured for a line to go on.
  public let gap: Seconds

  /// A chart; see its properties.
  public init(
    title: String, summary: String, lines: [Line], bands: [Band] = [], span: Range<Instant>,
    gap: Seconds
  ) {
    self.title = title
    self.summary = summary
    self.lines = lines
    self.bands = bands
    self.span = span
    self.gap = gap
  }

  /// The points of a line in runs without a gap.
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

  /// From the lowest to the highest of all lines and bands; nil where there is nothing to show.
  var values: ClosedRange<Double>? {
    var range: ClosedRange<Double>?
    func include(_ value: Double) {
      let known = range ?? value...value
      range = min(known.lowerBound, value)...max(known.upperBound, value)
    }
    for line in lines { for point in line.points { include(point.value) } }
    guard range != nil else { return nil }
    for band in bands where band.presence == .whole {
      include(band.range.lowerBound)
      include(band.range.upperBound)
    }
    return range
  }
}
