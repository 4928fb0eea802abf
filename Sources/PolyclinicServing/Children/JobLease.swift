import PolyclinicCore
import PolyclinicSystem
import Synchronization

/// The right to run the portal's jobs, which one of several machines has at a time. It is a row that
/// its holder renews every few seconds, and that another machine takes over when it has expired.
///
/// A holder that was paused may find out late that it has lost the lease. Therefore each write of a
/// job calls ``requireHeld(on:)`` in its own transaction.
package final class JobLease: Sendable {
  package static let schema: [SQL] = [
    """
    CREATE TABLE job_lease (
      id_lease \(.integer) NOT NULL PRIMARY KEY,
      holder TEXT NOT NULL,
      token \(.integer) NOT NULL,
      held_until \(.integer) NOT NULL
    ) \(.strict)
    """
  ]

  /// The time after which a lease that was not renewed expires, by the database's clock.
  package static let span = Seconds.seconds(15)
  /// The time in milliseconds without a renewal after which the holder gives up, before others may
  /// take over.
  private static let longestSilence: Int64 = 12_000

  private enum State {
    case waiting
    /// `renewed` is the ``Uptime`` in milliseconds at which the last renewal began.
    case held(token: Int64, renewed: Int64)
    case lost
  }

  private let database: any Database
  private let machine: String
  private let state = Mutex(State.waiting)

  /// Creates the lease of a machine, which is not held yet.
  package init(of machine: String, in database: any Database) {
    self.machine = machine
    self.database = database
  }

  package var isHeld: Bool { if case .held = state.withLock(\.self) { true } else { false } }

  /// True if the lease was held and is no longer, or was not renewed for so long that it may be. It
  /// is never held again.
  package func isLost(at uptime: Int64) -> Bool {
    switch state.withLock(\.self) {
    case .waiting: false
    case .held(_, let renewed): uptime - renewed > Self.longestSilence
    case .lost: true
    }
  }

  /// Renews the lease, or takes it if nobody has it. Call it from one thread, every few seconds.
  /// Throws `DatabaseError`.
  ///
  /// A machine takes over from itself at once, because it runs one jobs process at a time.
  package func renew(
    at now: Instant? = nil, uptime: Int64 = Uptime.milliseconds
  ) throws {
    switch state.withLock(\.self) {
    case .waiting:
      guard let token = try take(.databaseTime(now)) else { return }
      state.withLock { $0 = .held(token: token, renewed: uptime) }
    case .held(let token, _):
      let isKept = try extend(token, until: "\(.databaseTime(now)) + \(Self.span.count)")
      state.withLock { $0 = isKept ? .held(token: token, renewed: uptime) : .lost }
    case .lost: return
    }
  }

  /// Throws `Job.Failure` unless the lease is held in this transaction.
  package func requireHeld(on connection: Connection) throws {
    if case .held(let token, _) = state.withLock(\.self),
      try connection.integer("SELECT 1 FROM job_lease WHERE token = \(token)") != nil
    {
      return
    }
    throw Job.Failure("another machine has taken over the jobs")
  }

  /// Gives the lease back, so that another machine can take it at once. Throws `DatabaseError`.
  package func end() throws {
    guard case .held(let token, _) = state.withLock(\.self) else { return }
    state.withLock { $0 = .lost }
    _ = try extend(token, until: "0")
  }

  /// Returns the token; nil if another machine holds the lease.
  private func take(_ now: SQL) throws -> Int64? {
    try database.write { connection in
      try connection.row(
        """
        INSERT INTO job_lease (id_lease, holder, token, held_until)
        VALUES (1, \(machine), 1, \(now) + \(Self.span.count))
        ON CONFLICT (id_lease) DO UPDATE SET holder = excluded.holder,
          token = job_lease.token + 1, held_until = excluded.held_until
        WHERE job_lease.held_until <= \(now) OR job_lease.holder = excluded.holder
        RETURNING token
        """
      ) { Int64($0.int(0)) }
    }
  }

  /// Returns false if another process has the lease.
  private func extend(_ token: Int64, until end: SQL) throws -> Bool {
    try database.write {
      try $0.runCounting("UPDATE job_lease SET held_until = \(end) WHERE token = \(token)")
    } > 0
  }
}
