import PolyclinicCore

/// The state of the last refresh and of its figures, stored as one row.
struct RefreshState: Sendable, Equatable {
  /// The source of the stored figures; empty before the first success.
  var source = ""
  /// The last day of the figures, if the source names it.
  var day: CalendarDate?
  /// The time at which the source received the figures, if it gives this instead of the day.
  var received: Instant?
  /// The time at which the stored figures were fetched; nil before the first success.
  var fetched: Instant?
  /// A random number that changes with each stored set of figures.
  var revision = 0
  /// True for invented figures.
  var isFictional = false
  /// The first failure since the last success; nil if the last refresh succeeded.
  var failingSince: Instant?
  /// The reason of the last failure.
  var failure: RefreshFailure?
  /// The time at which a user requested a refresh that has not ended yet.
  var requested: Instant?
  /// The time at which the current refresh started.
  var started: Instant?

  static let table: SQL =
    """
    CREATE TABLE covid_stats_refresh (
      id \(.integer) NOT NULL PRIMARY KEY CHECK (id = 1),
      source TEXT NOT NULL, day \(.integer), received_at \(.integer), fetched_at \(.integer),
      revision \(.integer) NOT NULL,
      is_fictional \(.integer) NOT NULL,
      failing_since \(.integer), failure TEXT,
      requested_at \(.integer), started_at \(.integer)
    ) \(.strict)
    """

  static func find(in work: Work) throws -> RefreshState {
    try work.row(
      """
      SELECT source, day, received_at, fetched_at, is_fictional, failing_since, failure,
        requested_at, started_at, revision
      FROM covid_stats_refresh
      """
    ) { row in
      RefreshState(
        source: row.string(0),
        day: row.optional(1, Row.int).map { CalendarDate(daysSince1970: $0) },
        received: row.optional(2, Row.instant), fetched: row.optional(3, Row.instant),
        revision: row.int(9), isFictional: row.bool(4), failingSince: row.optional(5, Row.instant),
        failure: row.optional(6, Row.string).map { RefreshFailure(rawValue: $0) ?? .failed },
        requested: row.optional(7, Row.instant), started: row.optional(8, Row.instant))
    } ?? RefreshState()
  }

  func save(in work: Work) throws {
    try work.run("DELETE FROM covid_stats_refresh")
    try work.run(
      """
      INSERT INTO covid_stats_refresh (
        id, source, day, received_at, fetched_at, is_fictional, failing_since, failure,
        requested_at, started_at, revision)
      VALUES (
        1, \(source), \(day?.daysSince1970), \(received), \(fetched), \(isFictional),
        \(failingSince), \(failure?.rawValue), \(requested), \(started), \(revision))
      """)
  }

  /// True while a refresh is requested or running.
  func isUnderWay(at now: Instant) -> Bool {
    requested != nil || isRunning(at: now)
  }

  /// True while a refresh is running. Ignores one that started longer ago than the limit, because
  /// its process has died.
  func isRunning(at now: Instant) -> Bool {
    started.map { $0 <= now && now < $0 + Refresh.limit } ?? false
  }
}

extension RefreshState {
  /// The time within which no source has newer figures.
  private static let freshness = Seconds.minutes(5)

  /// True if the figures were fetched a moment ago.
  func isFresh(at now: Instant) -> Bool {
    fetched.map { $0 <= now && now < $0 + Self.freshness } ?? false
  }

  /// True if a request starts a refresh. Visitors cannot replace invented figures.
  func takesRequest(at now: Instant) -> Bool {
    !isFictional && !isUnderWay(at: now) && !isFresh(at: now)
  }
}
