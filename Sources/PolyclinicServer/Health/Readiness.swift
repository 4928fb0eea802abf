import PolyclinicCore
import Synchronization

/// Whether the database can be written, as the last attempt of this process told: anybody may ask,
/// and a write that is kept costs the disk as much as a form does.
final class Readiness: Sendable {
  static let migration = Migration(
    "0001-readiness",
    """
    CREATE TABLE readiness (
      id_readiness \(.integer) NOT NULL PRIMARY KEY,
      checked_at \(.integer) NOT NULL
    ) \(.strict)
    """)

  /// The migrations that this program needs and the database does not have: a restore may have
  /// brought an older one.
  static func missing(
    _ modules: [(module: String, migrations: [Migration])], on connection: Connection
  ) throws -> [String] {
    let applied = Set(
      try connection.rows("SELECT module, name FROM migrations") {
        "\($0.string(0)) \($0.string(1))"
      })
    let needed = modules.flatMap { module, migrations in
      migrations.map { "\(module) \($0.name)" }
    }
    return needed.filter { !applied.contains($0) }
  }

  private static let interval = Seconds.seconds(5)

  private struct State {
    var attempted: Instant?
    var failure: DatabaseError?
  }

  private let state = Mutex(State())

  /// What kept the last attempt from writing; nil when it wrote. Attempts anew when the last one is
  /// five seconds old; who asks meanwhile gets the outcome before.
  func failure(of database: any Database, at now: Instant) throws -> DatabaseError? {
    let isDue = state.withLock { state in
      // A clock that was set back must not keep an outcome for hours.
      if let last = state.attempted, last <= now, now - last < Self.interval { return false }
      state.attempted = now
      return true
    }
    if isDue {
      let failure = try attempt(database, at: now)
      state.withLock { $0.failure = failure }
    }
    return state.withLock { $0.failure }
  }

  /// Writes a row: only that tells a full or read-only disk from one that can keep what people enter.
  private func attempt(_ database: any Database, at now: Instant) throws -> DatabaseError? {
    do {
      try database.write { connection in
        try connection.run(
          """
          INSERT INTO readiness (id_readiness, checked_at) VALUES (1, \(now))
          ON CONFLICT (id_readiness) DO UPDATE SET checked_at = excluded.checked_at
          """)
      }
      return nil
    } catch let error as DatabaseError {
      return error
    }
  }
}
