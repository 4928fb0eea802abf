import PolyclinicCore

/// The state of the last refresh and of its figures, stored as one row.
struct RefreshState: Sendable, Equatable {
  /// The number of the only row.
  private var id = 1
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

  static let creation: SQL =
    """
    CREATE TABLE covid_stats_refresh (
      id \(.integer) NOT NULL PRIMARY KEY CHECK (id = 1),
      source TEXT NOT NULL, day TEXT, received_at \(.integer), fetched_at \(.integer),
      revision \(.integer) NOT NULL,
      is_fictional \(.integer) NOT NULL,
      failing_since \(.integer), failure TEXT,
      requested_at \(.integer), started_at \(.integer)
    ) \(.strict)
    """

  static let table = SQL.Table<RefreshState>(
    "covid_stats_refresh", of: RefreshState(), .init("id", \.id), .init("source", \.source),
    .init("day", \.day), .init("received_at", \.received), .init("fetched_at", \.fetched),
    .init("revision", \.revision), .init("is_fictional", \.isFictional),
    .init("failing_since", \.failingSince), .init("failure", \.failure),
    .init("requested_at", \.requested), .init("started_at", \.started))

  static func find(in work: Work) throws -> RefreshState {
    try work.row("SELECT \(table.columns) FROM covid_stats_refresh", table.record)
      ?? RefreshState()
  }

  func save(in work: Work) throws {
    try work.run("DELETE FROM covid_stats_refresh")
    try work.run(Self.table.insertion(of: self))
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
