/// The answers that visitors have got from all processes since the supervisor started.
struct AnswerCounts: Equatable {
  private(set) var given = 0
  private(set) var failed = 0

  /// Addresses that machines ask for, which say nothing about visitors.
  private static let monitors = ["/healthz", "/readyz", "/metrics"]

  init() {}

  /// Adds up the rows of requests. A request that was refused because its sender held most threads
  /// counts neither way.
  init(_ counters: Counters) {
    for (row, name) in counters.names.enumerated() {
      if name == Tally.Event.crowdTurnedAway.rawValue {
        given -= Int(counters.sum(0, of: row))
      }
      guard let (_, pattern) = Tally.request(ofRow: name), !Self.monitors.contains(pattern)
      else { continue }
      let classes = (0..<Tally.Timing.classes).map { Int(counters.sum($0, of: row)) }
      failed += classes[Tally.Timing.classes - 1]
      given += classes.dropLast().reduce(0, +)
    }
  }

  /// True if more requests failed (5xx) than were answered since an earlier count.
  func isMostlyFailed(since earlier: AnswerCounts) -> Bool {
    failed - earlier.failed > given - earlier.given
  }
}
