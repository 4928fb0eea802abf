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
  /// When it last said that it lives; nil before it has said so.
  var heard: SuspendingClock.Instant?
  /// Whether it said then that the database takes nothing.
  var isFailing = false
  /// Whether its end of the lifeline is closed.
  var hasHungUp = false

  var name: String { role == .worker ? "worker \(number)" : role.rawValue }
}
