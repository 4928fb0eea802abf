import PolyclinicCore

extension Zone {
  /// The first moment at which clocks show that day.
  func start(of date: CalendarDate) -> Instant {
    let midnight = Instant(Int64(date.daysSince1970) * 86_400)
    // Where clocks are set back at midnight, the day begins with the first of two.
    for stretch in stretches(around: midnight) {
      let shown = max(midnight - stretch.offset, stretch.span.lowerBound)
      if shown < stretch.span.upperBound { return shown }
    }
    return midnight
  }

  /// The moments at which clocks show one of these minutes of a day: none of what is left out when
  /// clocks are set forward, both of what comes twice when they are set back.
  func moments(of minutes: Spans<Int>, on date: CalendarDate) -> Spans<Instant> {
    var moments = Spans<Instant>()
    forEachStretch(of: minutes, on: date) { moments.insert($0) }
    return moments
  }

  /// Goes through ``moments(of:on:)``.
  func forEachStretch(
    of minutes: Spans<Int>, on date: CalendarDate, _ body: (Range<Instant>) -> Void
  ) {
    guard !minutes.ranges.isEmpty else { return }
    let midnight = Instant(Int64(date.daysSince1970) * 86_400)
    if let offset = steadyOffset(around: midnight) {
      let shown = midnight - offset
      for range in minutes.ranges {
        body(shown + .minutes(range.lowerBound)..<shown + .minutes(range.upperBound))
      }
    } else {
      moments(of: minutes, aroundUneven: midnight).ranges.forEach(body)
    }
  }

  /// On a day on which clocks are set, or beside one.
  private func moments(
    of minutes: Spans<Int>, aroundUneven midnight: Instant
  ) -> Spans<Instant> {
    var moments = Spans<Instant>()
    for stretch in stretches(around: midnight) {
      for range in minutes.ranges {
        let shown = midnight - stretch.offset
        let lower = max(shown + .minutes(range.lowerBound), stretch.span.lowerBound)
        let upper = min(shown + .minutes(range.upperBound), stretch.span.upperBound)
        if lower < upper { moments.insert(lower..<upper) }
      }
    }
    return moments
  }

  /// The time in which a day may fall: clocks are at most 14 hours ahead of UTC and 12 behind.
  private static func bounds(around midnight: Instant) -> Range<Instant> {
    midnight - .hours(14)..<midnight + .hours(24 + 12)
  }

  /// The offset all through that time; nil where clocks are set in it.
  private func steadyOffset(around midnight: Instant) -> Seconds? {
    // No zone sets them twice within two days.
    let bounds = Self.bounds(around: midnight)
    let before = offset(at: bounds.lowerBound)
    return offset(at: bounds.upperBound) == before ? before : nil
  }

  /// The time in which that day may fall, in stretches through which clocks run evenly.
  private func stretches(
    around midnight: Instant
  ) -> [(span: Range<Instant>, offset: Seconds)] {
    let bounds = Self.bounds(around: midnight)
    if let offset = steadyOffset(around: midnight) { return [(bounds, offset)] }
    let (start, end) = (bounds.lowerBound, bounds.upperBound)
    let (before, after) = (offset(at: start), offset(at: end))
    var early = start
    var late = end
    while late - early > .seconds(1) {
      let middle = early + Seconds((late - early).count / 2)
      if offset(at: middle) == before { early = middle } else { late = middle }
    }
    return [(start..<late, before), (late..<end, after)]
  }
}
