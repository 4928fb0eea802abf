import Glibc
import Logging
import PolyclinicCore
import Synchronization

/// Whether the database has refused what people sent, and nobody has found since that it takes it again.
///
/// Nothing is written to find out while all is well; once somebody has met a refusal, it is tried every
/// few seconds until it goes well.
final class Trouble: Sendable {
  private let isMet = Atomic<Bool>(false)
  private static let interval: Int32 = 5_000

  /// Whether somebody has met one that is not known to be over.
  var isThere: Bool { isMet.load(ordering: .relaxed) }

  /// Takes note of what lasts: others that write for too long are gone in a moment.
  func note(_ error: DatabaseError) {
    switch error.kind {
    case .full, .readOnly, .missing, .corrupt: isMet.store(true, ordering: .relaxed)
    case .busy, .unique, .foreignKey, .constraint, .other: break
    }
  }

  /// Tries once whether it is over.
  func attempt(_ readiness: Readiness, of database: any Database, at now: Instant) throws {
    if try readiness.failure(of: database, at: now) == nil {
      isMet.store(false, ordering: .relaxed)
    }
  }

  /// Looks after it from a thread of its own, whatever is asked of the others.
  func startRecovery(of database: any Database, log: Logger) throws {
    let readiness = Readiness()
    _ = try SystemThread {
      while true {
        poll(nil, 0, Self.interval)
        guard self.isThere else { continue }
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
