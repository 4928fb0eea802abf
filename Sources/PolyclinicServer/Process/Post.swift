/// A place that one process after another fills.
struct Post {
  let role: ProcessRole
  let number: Int
  private(set) var restarts = 0
  /// When the next process is to be started; nil while one is there.
  private(set) var startsAt: SuspendingClock.Instant?
  private var backoff = Backoff(first: .milliseconds(250), limit: .seconds(10))

  /// A process that lived at least this long has not died of its start.
  static let settled = Duration.seconds(5)

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

  /// At once after a process that had settled, else after a pause that grows.
  mutating func processEnded(after life: Duration, at now: SuspendingClock.Instant) {
    restarts += 1
    if life >= Self.settled {
      backoff.reset()
      startsAt = now
    } else {
      startsAt = now + backoff.next()
    }
  }
}
