/// The responses to visitors from all processes since the supervisor started, as successes and
/// server errors.
package struct AnswerCounts: Equatable {
  package let given: Int
  package let failed: Int

  package init(given: Int = 0, failed: Int = 0) {
    self.given = given
    self.failed = failed
  }

  /// True if more requests failed (5xx) than succeeded since an earlier count.
  func isMostlyFailed(since earlier: AnswerCounts) -> Bool {
    failed - earlier.failed > given - earlier.given
  }
}
