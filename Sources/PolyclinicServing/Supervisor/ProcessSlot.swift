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
