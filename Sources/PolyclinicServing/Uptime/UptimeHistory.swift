import PolyclinicCore

/// The portal's uptime in the last 30 days.
///
/// Time before the first start does not count. Every gap between two spans is an outage, planned or
/// not, so crashes and power cuts count without anyone reporting them.
package struct UptimeHistory: Sendable, Equatable {
  /// A period of uptime, from its start to its latest recorded moment.
  package struct Span: Sendable, Equatable {
    var start: Instant
    var end: Instant
  }

  /// The state of the wall clock at the last write. It shows if the clock is set while nobody
  /// records.
  struct Clock: Sendable, Equatable {
    /// The seconds by which the wall clock leads the time since the boot.
    let lead: Int64
    let boot: String
  }

  /// The promised availability: 99.5 %.
  package static let promised = 0.995
  package static let window = Seconds.days(30)
  /// The interval at which the end of the current span is recorded.
  package static let interval = Seconds.seconds(10)
  /// The largest number of spans in the file, enough for an outage every ten minutes.
  static let spanLimit = 4_320

  /// The time of the first start.
  package private(set) var since: Instant
  /// The spans in order, with gaps between them.
  private(set) var spans: [Span]
  /// Nil in a record that has not been written yet.
  var clock: Clock?

  package init(since: Instant, spans: [Span] = []) {
    self.since = since
    self.spans = spans
  }

  /// Begins a span, after an outage or at the first start.
  package mutating func begin(at now: Instant) {
    // If the clock was set back, the recorded spans keep their length and order.
    if let last = spans.last, last.end > now { shift(by: now - last.end) }
    forget(before: now - Self.window)
    spans.append(Span(start: now, end: now))
  }

  /// Extends the current span.
  mutating func extend(to now: Instant) {
    guard let last = spans.indices.last else { return }
    spans[last].end = max(spans[last].end, now)
  }

  /// Moves all spans after the machine's clock was set, so that their age stays the same.
  mutating func shift(by span: Seconds) {
    since = since + span
    for index in spans.indices {
      spans[index].start = spans[index].start + span
      spans[index].end = spans[index].end + span
    }
  }

  /// Returns the available share of the last 30 days, or of the time since the first start.
  ///
  /// Nil at the moment of the first start.
  package func share(at now: Instant) -> Double? {
    let start = max(since, now - Self.window)
    let total = (now - start).count
    guard total > 0 else { return nil }
    let up = spans.reduce(Int64(0)) { sum, span in
      sum + max(0, (min(known(span.end, at: now), now) - max(span.start, start)).count)
    }
    return Double(min(up, total)) / Double(total)
  }

  /// Treats a recent end as current, because it is recorded only at intervals.
  private func known(_ end: Instant, at now: Instant) -> Instant {
    end == spans.last?.end && (now - end).count <= 2 * Self.interval.count ? now : end
  }

  private mutating func forget(before start: Instant) {
    spans.removeAll { $0.end <= start }
    if spans.count >= Self.spanLimit { spans.removeFirst(spans.count - Self.spanLimit + 1) }
  }
}
