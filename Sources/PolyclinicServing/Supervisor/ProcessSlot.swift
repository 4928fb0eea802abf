/// One slot of the process table (worker 1, worker 2, jobs) with its restart back-off.
package struct ProcessSlot {
  let role: ProcessRole
  let number: Int
  private(set) var restarts = 0
  /// The time of the next start; nil while a process runs.
  private(set) var startsAt: SuspendingClock.Instant?
  private var backoff = ProcessBackoff(first: .milliseconds(250), limit: .seconds(10))

  /// The shortest time between two starts. A process that was ready is restarted without back-off,
  /// because growing pauses could leave visitors without a worker: the cause of its end may also
  /// end the next ones.
  static let interval = Duration.milliseconds(100)

  init(_ role: ProcessRole, _ number: Int, startsAt: SuspendingClock.Instant) {
    self.role = role
    self.number = number
    self.startsAt = startsAt
  }

  mutating func started() {
    startsAt = nil
  }

  /// Resets the back-off after a change of generation.
  mutating func reset(startingAt instant: SuspendingClock.Instant?) {
    backoff.reset()
    startsAt = instant
  }

  /// Schedules an immediate restart.
  mutating func readyProcessEnded(after life: Duration, at now: SuspendingClock.Instant) {
    restarts += 1
    backoff.reset()
    startsAt = now + max(.zero, Self.interval - life)
  }

  /// Schedules a restart after a growing pause, because the process never became ready.
  mutating func startFailed(at now: SuspendingClock.Instant) {
    restarts += 1
    startsAt = now + backoff.next()
  }
}

/// An exponential back-off: each pause is twice the one before, up to a limit.
struct ProcessBackoff: Sendable {
  private let first: Duration
  private let limit: Duration
  private var upcoming: Duration

  init(first: Duration, limit: Duration) {
    self.first = first
    self.limit = limit
    upcoming = first
  }

  /// Returns the pause after a failure, and doubles the next one.
  mutating func next() -> Duration {
    defer { upcoming = min(upcoming * 2, limit) }
    return upcoming
  }

  /// Goes back to the first pause, after a success.
  mutating func reset() {
    upcoming = first
  }
}
