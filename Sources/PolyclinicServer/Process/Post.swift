/// A place that one process after another fills.
struct Post {
  let role: ProcessRole
  let number: Int
  private(set) var restarts = 0
  /// When the next process is to be started; nil while one is there.
  private(set) var startsAt: SuspendingClock.Instant?
  private var backoff = Backoff(first: .milliseconds(250), limit: .seconds(10))

  /// A process that was ready serves people, and whoever ended it may end the next as well: a pause
  /// that grows would leave nobody to serve them. So often at most is one started.
  static let interval = Duration.milliseconds(100)

  init(_ role: ProcessRole, _ number: Int, startsAt: SuspendingClock.Instant) {
    self.role = role
    self.number = number
    self.startsAt = startsAt
  }

  mutating func fill() {
    startsAt = nil
  }

  /// After a change of generation the next process starts with a clean record.
  mutating func refill(at instant: SuspendingClock.Instant?) {
    backoff.reset()
    startsAt = instant
  }

  /// The next one comes at once.
  mutating func readyProcessEnded(after life: Duration, at now: SuspendingClock.Instant) {
    restarts += 1
    backoff.reset()
    startsAt = now + max(.zero, Self.interval - life)
  }

  /// It never was ready: the next one comes after a pause that grows.
  mutating func startFailed(at now: SuspendingClock.Instant) {
    restarts += 1
    startsAt = now + backoff.next()
  }
}
