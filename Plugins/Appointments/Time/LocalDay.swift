import PolyclinicCore

extension Zone {
  /// Returns the first moment of a day in local time.
  func start(of date: CalendarDate) -> Instant {
    let midnight = Instant(Int64(date.daysSince1970) * 86_400)
    // If clocks are set back at midnight, the day begins at the first of the two midnights.
    for period in offsetPeriods(around: midnight) {
      let shown = max(midnight - period.offset, period.span.lowerBound)
      if shown < period.span.upperBound { return shown }
    }
    return midnight
  }

  /// Returns the moments at which clocks show one of these minutes of a day. Minutes that are
  /// skipped as clocks are set forward have none. Minutes that repeat as clocks are set back have
  /// two.
  func moments(of minutes: Spans<Int>, on date: CalendarDate) -> Spans<Instant> {
    var moments = Spans<Instant>()
    forEachPeriod(of: minutes, on: date) { moments.insert($0) }
    return moments
  }

  /// Calls `body` with each range of ``moments(of:on:)``.
  func forEachPeriod(
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

  /// Returns ``moments(of:on:)`` for a day on which clocks are set, or for one next to it.
  private func moments(
    of minutes: Spans<Int>, aroundUneven midnight: Instant
  ) -> Spans<Instant> {
    var moments = Spans<Instant>()
    for period in offsetPeriods(around: midnight) {
      for range in minutes.ranges {
        let shown = midnight - period.offset
        let lower = max(shown + .minutes(range.lowerBound), period.span.lowerBound)
        let upper = min(shown + .minutes(range.upperBound), period.span.upperBound)
        if lower < upper { moments.insert(lower..<upper) }
      }
    }
    return moments
  }

  /// Returns a range that contains the day in any zone: clocks are at most 14 hours ahead of UTC
  /// and 12 behind.
  private static func bounds(around midnight: Instant) -> Range<Instant> {
    midnight - .hours(14)..<midnight + .hours(24 + 12)
  }

  /// Returns the UTC offset throughout that range; nil if clocks are set within it.
  private func steadyOffset(around midnight: Instant) -> Seconds? {
    // No zone sets its clocks twice within two days, so comparing both ends is enough.
    let bounds = Self.bounds(around: midnight)
    let before = offset(at: bounds.lowerBound)
    return offset(at: bounds.upperBound) == before ? before : nil
  }

  /// Returns the range that contains the day, split into parts with a constant UTC offset.
  private func offsetPeriods(
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
