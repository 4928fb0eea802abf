import PolyclinicServing

extension AnswerCounts {
  /// Paths that monitoring tools request. They say nothing about visitors.
  private static let monitors = ["/healthz", "/readyz", "/metrics"]

  /// Adds up the rows of requests. Excludes requests that were refused because their sender
  /// occupied most threads.
  package init(_ counters: Counters) {
    var (given, failed) = (0, 0)
    for (row, name) in counters.names.enumerated() {
      if name == RequestMetrics.Event.crowdTurnedAway.rawValue {
        given -= Int(counters.sum(0, of: row))
      }
      guard let (_, pattern) = RequestMetrics.request(ofRow: name), !Self.monitors.contains(pattern)
      else { continue }
      let classes = (0..<CounterShard.Timing.classes).map { Int(counters.sum($0, of: row)) }
      failed += classes[CounterShard.Timing.classes - 1]
      given += classes.dropLast().reduce(0, +)
    }
    self.init(given: given, failed: failed)
  }
}
