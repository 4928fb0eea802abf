import Glibc
import PolyclinicCore

/// What a process of the portal is there for.
enum ProcessRole: String, Codable, Sendable {
  case worker, jobs, migration
}

/// A process that the supervisor has started and not yet seen the end of.
struct Child {
  enum State: String, Codable, Sendable {
    case starting, ready, leaving
  }

  let pid: pid_t
  let role: ProcessRole
  let number: Int
  /// Which reload it belongs to: those of one generation were started from one program.
  let generation: Int
  let started: Instant
  let since: SuspendingClock.Instant
  /// The supervisor's end of its lifeline.
  let lifeline: Int32
  var state = State.starting
  /// When it is killed, unless it has become ready, or ended, by then.
  var deadline: SuspendingClock.Instant?

  var name: String { role == .worker ? "worker \(number)" : role.rawValue }
}

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
