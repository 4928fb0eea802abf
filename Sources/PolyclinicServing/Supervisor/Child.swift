import Glibc
import PolyclinicCore

/// The task of a child process.
package enum ProcessRole: String, Codable, Sendable {
  case worker, jobs, migration
}

/// A process that the supervisor has started and not yet reaped.
package struct Child {
  package enum State: String, Codable, Sendable {
    case starting, ready, leaving
  }

  let pid: pid_t
  let role: ProcessRole
  let number: Int
  /// The generation: one more with each reload. All processes of a generation run the same program.
  let generation: Int
  let started: Instant
  let since: SuspendingClock.Instant
  /// The supervisor's end of its lifeline.
  let lifeline: Int32
  var state = State.starting
  /// The time at which the supervisor kills it, unless it has become ready, or ended, by then.
  var deadline: SuspendingClock.Instant?
  /// The time of the latest heartbeat; nil before the first one.
  var heard: SuspendingClock.Instant?
  /// True if the latest heartbeat reported that the database accepts no writes.
  var isFailing = false
  /// True if the process has closed its end of the lifeline.
  var hasHungUp = false

  var name: String { role == .worker ? "worker \(number)" : role.rawValue }
}
