import PolyclinicCore

/// When the portal was there, of the last 30 days.
///
/// Time before its first start does not count. Whatever lies between two spans was an outage, planned
/// or not: nobody has to notice a crash or a power cut for it to count.
struct Availability: Sendable, Equatable {
  /// From its first moment to the last at which it was known.
  struct Span: Sendable, Equatable {
    var start: Instant
    var end: Instant
  }

  /// What the portal promises: 99.5 %.
  static let promised = 0.995
  static let window = Seconds.days(30)
  /// How often its end is written down.
  static let interval = Seconds.seconds(10)
  /// So much of a file is enough for a portal that comes and goes every ten minutes.
  static let spanLimit = 4_320

  /// When it was started for the first time.
  private(set) var since: Instant
  /// In order, none touching the next.
  private(set) var spans: [Span]

  init(since: Instant, spans: [Span] = []) {
    self.since = since
    self.spans = spans
  }

  /// It is there again, after an outage or for the first time.
  mutating func begin(at now: Instant) {
    // A clock that was set back meanwhile: what was recorded keeps its length and its order.
    if let last = spans.last, last.end > now { shift(by: now - last.end) }
    forget(before: now - Self.window)
    spans.append(Span(start: now, end: now))
  }

  /// It is still there.
  mutating func extend(to now: Instant) {
    guard let last = spans.indices.last else { return }
    spans[last].end = max(spans[last].end, now)
  }

  /// The machine's clock was set: what was recorded lies as far back as before.
  mutating func shift(by span: Seconds) {
    since = since + span
    for index in spans.indices {
      spans[index].start = spans[index].start + span
      spans[index].end = spans[index].end + span
    }
  }

  /// The part of the last 30 days, or of the time since the first start, in which it was there.
  ///
  /// Nil before there is anything to divide by.
  func share(at now: Instant) -> Double? {
    let start = max(since, now - Self.window)
    let total = (now - start).count
    guard total > 0 else { return nil }
    let up = spans.reduce(Int64(0)) { sum, span in
      sum + max(0, (min(known(span.end, at: now), now) - max(span.start, start)).count)
    }
    return Double(min(up, total)) / Double(total)
  }

  /// What was written down a moment ago holds until the next time.
  private func known(_ end: Instant, at now: Instant) -> Instant {
    end == spans.last?.end && (now - end).count <= 2 * Self.interval.count ? now : end
  }

  private mutating func forget(before start: Instant) {
    spans.removeAll { $0.end <= start }
    if spans.count >= Self.spanLimit { spans.removeFirst(spans.count - Self.spanLimit + 1) }
  }
}
