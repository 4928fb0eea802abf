import Glibc
import Logging
import PolyclinicCore
import PolyclinicSystem
import Synchronization

/// Remembers that the database refused a write, until a test write succeeds.
///
/// Without a refusal nothing is tested. After one, a thread tests the database every few seconds
/// until a write succeeds.
package final class WriteHealth: Sendable {
  private let failing = Atomic<Bool>(false)
  private static let interval: Int32 = 5_000

  /// True if the database has refused a write and no test write has succeeded since.
  package var isFailing: Bool { failing.load(ordering: .relaxed) }

  /// Records an error that lasts, such as a full disk. A busy database is not recorded, because it
  /// recovers within a moment.
  package func note(_ error: DatabaseError) {
    switch error.kind {
    case .full, .readOnly, .missing, .corrupt: failing.store(true, ordering: .relaxed)
    case .busy, .unknown, .unique, .foreignKey, .constraint, .other: break
    }
  }

  /// Tests the database once and clears the refusal if the write succeeds.
  func attempt(_ readiness: Readiness, of database: any Database, at now: Instant) throws {
    if try readiness.failure(of: database, at: now) == nil {
      failing.store(false, ordering: .relaxed)
    }
  }

  /// Starts a thread that tests the database after a refusal. It does not depend on requests.
  package func startRecovery(of database: any Database, log: Logger) throws {
    let readiness = Readiness()
    _ = try SystemThread {
      while true {
        poll(nil, 0, Self.interval)
        guard self.isFailing else { continue }
        do {
          try self.attempt(readiness, of: database, at: .current)
        } catch {
          log.error(
            "cannot tell whether the database is back", metadata: ["type": "\(type(of: error))"])
        }
      }
    }
  }
}
