import Testing

@testable import PolyclinicServing
@testable import PolyclinicWeb

@Suite struct AnswerCountsTests {
  private let counters: Counters

  init() throws { counters = try Counters() }

  private func count(_ number: UInt64, _ row: String, status: Int) {
    counters.shards[0].add(number, to: status / 100 - 2, of: counters.row(row))
  }

  private func isMostlyFailed(since earlier: AnswerCounts = AnswerCounts()) -> Bool {
    AnswerCounts(counters).isMostlyFailed(since: earlier)
  }

  @Test func `more failures than answers since the last check are an outage`() {
    count(5, "request GET /contacts", status: 200)
    count(4, "request POST /contacts/new", status: 503)
    #expect(!isMostlyFailed())
    let earlier = AnswerCounts(counters)
    #expect(!isMostlyFailed(since: earlier))
    count(1, "request GET /contacts", status: 500)
    #expect(isMostlyFailed(since: earlier))
    count(1, "request GET /login", status: 404)
    #expect(!isMostlyFailed(since: earlier))
  }

  @Test func `monitoring requests and refusals of overloading clients do not count`() {
    count(1, "request GET /contacts", status: 503)
    count(9, "request GET /healthz", status: 200)
    count(9, "request GET /metrics", status: 200)
    count(9, "request other ", status: 429)
    counters.shards[0].add(
      9, to: 0, of: counters.row(RequestMetrics.Event.crowdTurnedAway.rawValue))
    #expect(isMostlyFailed())
    count(9, "request GET /readyz", status: 503)
    count(2, "request GET /", status: 200)
    #expect(!isMostlyFailed())
  }
}
