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
    guard !minutes.ranges.isEmpty else { return Spans() }
    let midnight = Instant(Int64(date.daysSince1970) * 86_400)
    let stretches = stretches(around: midnight)
    if stretches.count == 1 {
      let shown = midnight - stretches[0].offset
      return Spans(minutes) { shown + .minutes($0) }
    }
    var moments = Spans<Instant>()
    for stretch in stretches {
      for range in minutes.ranges {
        let shown = midnight - stretch.offset
        let lower = max(shown + .minutes(range.lowerBound), stretch.span.lowerBound)
        let upper = min(shown + .minutes(range.upperBound), stretch.span.upperBound)
        if lower < upper { moments.insert(lower..<upper) }
      }
    }
    return moments
  }

  /// The time in which that day may fall, in stretches through which clocks run evenly.
  private func stretches(
    around midnight: Instant
  ) -> [(span: Range<Instant>, offset: Seconds)] {
    // Clocks are at most 14 hours ahead of UTC and 12 behind; no zone sets them twice within two days.
    let start = midnight - .hours(14)
    let end = midnight + .hours(24 + 12)
    let before = offset(at: start)
    let after = offset(at: end)
    if before == after { return [(start..<end, before)] }
    var early = start
    var late = end
    while late - early > .seconds(1) {
      let middle = early + Seconds((late - early).count / 2)
      if offset(at: middle) == before { early = middle } else { late = middle }
    }
    return [(start..<late, before), (late..<end, after)]
  }
}
